// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/ListCursor.h"

namespace neurite::sim {

ListCursor::ListCursor(const ListReader &reader, uint32_t position,
                       uint32_t delay, unsigned bits)
    : at(reader.isInOrder() ? 0 : ~uint32_t(0)), code(reader.allCodes()),
      base(reader.allBases()), weights(reader.allWeights().raw),
      offsets(reader.allOffsets()), position(position), delay(delay),
      bits(bits) {
  if (reader.isInOrder() && bits)
    findForms(reader);
}

ListReader::List ListCursor::next(const ListReader &reader) {
  // Lists that were read ahead, and then not taken.
  const uint32_t left = filled - slot;
  for (uint32_t axon = at; axon < at + left; ++axon) {
    const Form &form = forms[code[axon]];
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
  // Dense lists alone have no offsets, but read some.
  static const char none[kStep] = {};
  const bool indexed = reader.numOffsets() > 0;
  if (!indexed)
    offsets = columns::View(none, 1);
  if (weights.bytes() > 2 || offsets.bytes() > 2)
    return;
  for (const SynapseList &shape : reader.shapes()) {
    Form form;
    if (shape.count <= kMost && shape.shift <= kLargestShift)
      form.count = shape.count;
    form.sparse = shape.kind == ListKind::Sparse ? ~uint32_t(0) : 0;
    forms.push_back(form);
  }
  // The last lists have too little after them for whole steps.
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

} // namespace neurite::sim
