// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/ListFormat.h"

namespace neurite {

uint64_t addToContent(uint64_t content, uint32_t fromFirst, int16_t weight) {
  // A multiplication and a shift per entry (splitmix64's constants).
  content += (uint64_t(fromFirst) << 16 | uint16_t(weight)) +
             uint64_t(0x9e3779b97f4a7c15);
  content = (content ^ (content >> 30)) * uint64_t(0xbf58476d1ce4e5b9);
  return content ^ (content >> 27);
}

SharedLists::Added SharedLists::add(const ListPlan &plan) {
  return {axons.insert(addToContent(plan.content, plan.firstOffset, 0)).second,
          contents.insert(plan.content).second ? plan.words : 0};
}

ListPlan planList(const SynapseFormat &format, uint32_t nonZero, uint32_t first,
                  uint32_t last, uint32_t weightBits, bool shared) {
  ListPlan dense;
  dense.firstOffset = first;
  dense.count = last - first + 1;
  dense.words = format.listWords(ListFormat::Dense, dense.count, weightBits);

  // Without a gap indices only add bits.
  if (nonZero == dense.count)
    return dense;
  // An index beyond the widest code leaves only the dense form.
  std::optional<uint64_t> indexBits =
      format.indexBits(shared ? last - first : last);
  if (!indexBits)
    return dense;
  ListPlan sparse;
  sparse.sparse = true;
  sparse.firstOffset = shared ? first : 0;
  sparse.count = nonZero;
  sparse.indexBits = static_cast<uint32_t>(*indexBits);
  sparse.words =
      format.listWords(ListFormat::Sparse, nonZero, weightBits, *indexBits);
  return sparse.words < dense.words ? sparse : dense;
}

std::optional<ListPlan> planList(const SynapseFormat &format,
                                 const uint32_t *neurons,
                                 const int16_t *weights, size_t n,
                                 uint32_t sliceFirst, uint32_t weightBits,
                                 bool shared) {
  uint32_t nonZero = 0, first = 0, last = 0;
  uint64_t content = 0;
  for (size_t i = 0; i < n; ++i) {
    if (weights[i] == 0)
      continue;
    if (nonZero++ == 0)
      first = neurons[i] - sliceFirst;
    last = neurons[i] - sliceFirst;
    if (shared)
      content = addToContent(content, last - first, weights[i]);
  }
  if (nonZero == 0)
    return std::nullopt;
  ListPlan plan = planList(format, nonZero, first, last, weightBits, shared);
  plan.content = content;
  return plan;
}

} // namespace neurite
