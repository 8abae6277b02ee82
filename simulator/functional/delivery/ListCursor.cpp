// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/delivery/ListCursor.h"

#include <algorithm>
#include <cstring>

namespace dendrolith::sim {

ListCursor::ListCursor(const ListReader &reader, uint32_t accumulator,
                       uint32_t delay, unsigned bits, bool mixed)
    : at(reader.isInOrder() ? 0 : ~uint32_t(0)), code(reader.allCodes()),
      base(reader.allBases()), weights(reader.allWeights().raw),
      offsets(reader.allOffsets()), accumulator(accumulator), delay(delay),
      bits(bits), mixed(mixed) {
  if (reader.isInOrder() && bits)
    findForms(reader);
}

ListReader::List ListCursor::next(const ListReader &reader) {
  // Lists that were read ahead, and not taken since, are given back.
  const uint32_t left = filled - slot;
  for (uint32_t axon = at; axon < at + left; ++axon) {
    const ListForm &form = forms[code[axon]];
    first -= form.count;
    firstOffset -= form.count & form.sparse;
  }
  filled = slot;
  ListReader::List list;
  list.shape = code[at];
  list.base = base[at];
  list.delay = delay;
  list.first = first;
  list.firstOffset = firstOffset;
  const SynapseList &shape = reader.shapes()[list.shape];
  first += shape.count;
  firstOffset += shape.kind == ListKind::Sparse ? shape.count : 0;
  ++at;
  return list;
}

void ListCursor::findForms(const ListReader &reader) {
  // Where all lists are dense there are no offsets, but the copy reads some.
  static const char none[kStep] = {};
  const bool indexed = reader.numOffsets() > 0;
  if (!indexed)
    offsets = columns::View(none, 1);
  if (weights.bytes() > 2 || offsets.bytes() > 2)
    return;
  for (const SynapseList &shape : reader.shapes()) {
    ListForm form;
    if (shape.count <= kMost && shape.shift <= kLargestShift)
      form.count = shape.count;
    form.sparse = shape.kind == ListKind::Sparse ? ~uint32_t(0) : 0;
    forms.push_back(form);
  }
  // The last lists are left out: too little lies after them for whole steps.
  uint64_t weightsAfter = 0, offsetsAfter = 0;
  end = static_cast<uint32_t>(reader.numAxons());
  while (end > 0 &&
         (weightsAfter < kStep || (indexed && offsetsAfter < kStep))) {
    --end;
    const SynapseList &shape = reader.shapes()[code[end]];
    weightsAfter += shape.count;
    offsetsAfter += shape.kind == ListKind::Sparse ? shape.count : 0;
  }
}

static constexpr uint32_t kStep = ListCursor::kStep;
typedef uint32_t Four __attribute__((vector_size(kStep * sizeof(uint32_t))));

/// Loads kStep numbers.
template <typename T> static void load(const char *from, Four &into) {
  typedef T Numbers __attribute__((vector_size(kStep * sizeof(T))));
  Numbers numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  into = __builtin_convertvector(numbers, Four);
}

/// Copies the entries of a list. Returns how many weights are not zero.
template <typename Weight, typename Offset>
uint32_t ListCursor::copy(const ListForm &form, uint32_t place,
                          uint32_t *out) const {
  // Entries are copied in steps, of which the last may have some of the next
  // list: the processor then seldom mispredicts how many steps there are. Masks
  // instead of a branch choose whether offsets or the order tell where they go.
  const char *w = weights.data() + size_t(first) * sizeof(Weight);
  const char *o = offsets.data() + size_t(firstOffset) * sizeof(Offset);
  const uint32_t count = form.count, sparse = form.sparse;
  Four order = {0, 1, 2, 3};
  uint32_t nonZero = 0;
  for (uint32_t k = 0; k < count; k += kStep) {
    Four raw, offset;
    load<Weight>(w + k * sizeof(Weight), raw);
    load<Offset>(o + (k & sparse) * sizeof(Offset), offset);
    const Four target = (offset & sparse) | (order & ~sparse);
    // The sign is the lowest bit (PackedNumbers).
    const Four weight = (raw >> 1) ^ (0 - (raw & 1));
    const Four packed = weight << (32 - bits) | (target + place);
    std::memcpy(out + k, &packed, sizeof packed);
    nonZero += countNonZero<Weight>(w + k * sizeof(Weight),
                                    std::min(count - k, kStep));
    order += kStep;
  }
  return nonZero;
}

template <typename Weight, typename Offset> void ListCursor::readLists() {
  uint32_t used = 0;
  for (uint32_t axon = at;
       axon < end && filled < kLists && used + kMost < kEntries; ++axon) {
    const ListForm &form = forms[code[axon]];
    if (form.count == 0)
      return;
    kinds[filled] =
        copy<Weight, Offset>(form, accumulator + base[axon], entries + used);
    counts[filled++] = static_cast<uint8_t>(form.count);
    used += form.count;
    first += form.count;
    firstOffset += form.count & form.sparse;
  }
}

void ListCursor::readAhead() {
  slot = filled = entry = 0;
  if (at >= end)
    return;
  const bool bytes = offsets.bytes() == 1;
  if (weights.bytes() == 1)
    bytes ? readLists<uint8_t, uint8_t>() : readLists<uint8_t, uint16_t>();
  else
    bytes ? readLists<uint16_t, uint8_t>() : readLists<uint16_t, uint16_t>();
}

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
