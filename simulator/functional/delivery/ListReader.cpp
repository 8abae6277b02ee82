// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/delivery/ListReader.h"

namespace dendrolith::sim {

ListReader::ListReader(const image::Core &core)
    : lists(core.synapses().lists()), axons(core.in_axons()),
      weights(core.synapses().weights()), offsets(core.synapses().offsets()),
      inOrder(lists.inOrder() && axons.list.isAll(0) &&
              axons.size <= lists.size) {
  if (!inOrder)
    unpacked = decodeLists(core.synapses().lists());
}

void ListReader::seek(uint32_t axon) {
  if (places.empty()) {
    ListPlace place;
    for (uint32_t l = 0; l < axons.size; ++l) {
      if (l % kEvery == 0)
        places.push_back(place);
      step(place, l);
    }
  }
  next = axon / kEvery * kEvery;
  here = places[axon / kEvery];
  for (; next < axon; ++next)
    step(here, next);
}

void ListReader::step(ListPlace &place, uint32_t list) const {
  const SynapseList &shape = lists.shapes[lists.code[list]];
  place.first += shape.count;
  if (shape.kind == ListKind::Sparse)
    place.offset += shape.count;
}

ListReader::List ListReader::at(uint32_t axon) {
  List list;
  list.base = axons.base[axon];
  list.delay = axons.delay[axon];
  if (!inOrder) {
    uint32_t index = axons.list[axon] + axon;
    list.shape = lists.code[index];
    list.first = unpacked[index].first;
    list.firstOffset = unpacked[index].firstOffset;
    return list;
  }
  if (axon != next)
    seek(axon);
  list.shape = lists.code[axon];
  list.first = here.first;
  list.firstOffset = here.offset;
  const SynapseList &shape = lists.shapes[list.shape];
  here.first += shape.count;
  here.offset += shape.kind == ListKind::Sparse ? shape.count : 0;
  ++next;
  return list;
}

} // namespace dendrolith::sim
