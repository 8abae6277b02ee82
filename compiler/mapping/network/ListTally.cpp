// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/ListTally.h"

namespace dendrolith {

uint64_t formatKey(const ListPlan &plan, uint32_t formatBits) {
  return (uint64_t(plan.sparse) << 32) | (uint64_t(plan.indexBits) << 16) |
         formatBits;
}

void ListTally::settle() {
  std::array<uint64_t, std::tuple_size<decltype(waiting)>::value> axon;
  for (size_t i = 0; i < held; ++i) {
    axon[i] = addToContent(waiting[i].content, waiting[i].firstOffset, 0);
    knownContents.fetch(waiting[i].content);
    knownAxons.fetch(axon[i]);
  }
  for (size_t i = 0; i < held; ++i) {
    axons += knownAxons.insert(axon[i]);
    words += knownContents.insert(waiting[i].content) ? waiting[i].words : 0;
  }
  held = 0;
}

void ListTally::addTo(std::array<uint64_t, numSums> &sums, SmallSet &formatKeys,
                      uint32_t formatBits) {
  sums[InAxons] += inAxons();
  sums[SynapseWords] += synapseWords();
  ListPlan plan;
  for (; plan.indexBits < 64; ++plan.indexBits) {
    plan.sparse = plan.indexBits > 0;
    if (formats >> plan.indexBits & 1)
      formatKeys.insert(formatKey(plan, formatBits));
  }
}

std::vector<ListTally> talliesOf(const ListWalk &walk) {
  std::vector<ListTally> tallies;
  const KernelWords *kernel = walk.kernelWords();
  for (size_t k = 0; k < walk.slices(); ++k)
    if (kernel)
      tallies.emplace_back(kernel->stored(k), walk.of().kernel.inAxons);
    else
      tallies.emplace_back(walk.of().shared);
  return tallies;
}

} // namespace dendrolith
