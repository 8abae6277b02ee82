// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/ListFormat.h"

namespace neurite {

ListPlan planList(const SynapseFormat &format, uint32_t nonZero, uint32_t first,
                  uint32_t last, uint32_t weightBits) {
  ListPlan dense;
  dense.firstOffset = first;
  dense.count = last - first + 1;
  dense.words = format.listWords(ListFormat::Dense, dense.count, weightBits);

  // Without a gap indices only add bits.
  if (nonZero == dense.count)
    return dense;
  // An index beyond the widest code leaves only the dense form.
  std::optional<uint64_t> indexBits = format.indexBits(last);
  if (!indexBits)
    return dense;
  ListPlan sparse;
  sparse.sparse = true;
  sparse.count = nonZero;
  sparse.indexBits = static_cast<uint32_t>(*indexBits);
  sparse.words =
      format.listWords(ListFormat::Sparse, nonZero, weightBits, *indexBits);
  return sparse.words < dense.words ? sparse : dense;
}

std::optional<ListPlan> planList(const SynapseFormat &format,
                                 const uint32_t *neurons,
                                 const int16_t *weights, size_t n,
                                 uint32_t sliceFirst, uint32_t weightBits) {
  uint32_t nonZero = 0, first = 0, last = 0;
  for (size_t i = 0; i < n; ++i) {
    if (weights[i] == 0)
      continue;
    if (nonZero++ == 0)
      first = neurons[i] - sliceFirst;
    last = neurons[i] - sliceFirst;
  }
  if (nonZero == 0)
    return std::nullopt;
  return planList(format, nonZero, first, last, weightBits);
}

} // namespace neurite
