// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/Rows.h"

namespace neurite::sim {

void Rows::prefetch(uint32_t source) const {
  if (runBegin[source] == runBegin[source + 1] || weightBits == 0)
    return;
  const Run &run = runs[runBegin[source]];
  if (run.position != kNone)
    return;
  constexpr uint32_t line = 16, most = 8 * line; // words
  const uint32_t *first = packed.data() + run.first;
  for (uint32_t k = 0; k < run.count && k < most; k += line)
    __builtin_prefetch(first + k);
}

void Rows::send(uint32_t source, int64_t payload, uint64_t step,
                Accumulators &accumulators) const {
  for (uint32_t r = runBegin[source]; r < runBegin[source + 1]; ++r) {
    const Run &run = runs[r];
    const uint64_t due = step + 1 + run.delay;
    if (run.position != kNone) {
      const int16_t *first = listWeights.data() + run.first;
      const Range<int16_t> weights{first, first + run.count};
      const uint64_t times = static_cast<uint64_t>(payload) << run.shift;
      if (run.offset == kNone)
        accumulators.addDense(weights, run.position, times, due);
      else
        accumulators.addSparse(weights, listOffsets.data() + run.offset,
                               run.position, times, due);
      continue;
    }
    if (weightBits == 0) {
      const Accumulators::Entry *first = wide.data() + run.first;
      accumulators.add({first, first + run.count}, payload, due);
      continue;
    }
    const uint64_t factor = static_cast<uint64_t>(payload) << shift;
    const uint32_t *first = packed.data() + run.first;
    if (weightBits == kNarrow)
      accumulators.addPacked<kNarrow>({first, first + run.count}, factor, due);
    else
      accumulators.addPacked<kBroad>({first, first + run.count}, factor, due);
  }
}

void Rows::sum(SourceRange sources, const uint64_t *times,
               const Visit &visit) const {
  std::vector<uint64_t> of(kinds.size());
  for (uint32_t i = 0; i < sources.count; ++i) {
    const uint32_t source = sources.first + i * sources.stride;
    const uint64_t n = times[source];
    if (n == 0)
      continue;
    for (uint64_t m = messageBegin[source]; m < messageBegin[source + 1]; ++m)
      of[wideKindOf.empty() ? kindOf[m] : wideKindOf[m]] += n;
  }
  for (size_t k = 0; k < kinds.size(); ++k)
    if (of[k])
      visit(kinds[k], of[k]);
}

uint64_t Rows::bytes() const {
  return packed.size() * sizeof(uint32_t) +
         wide.size() * sizeof(Accumulators::Entry) +
         listWeights.size() * sizeof(int16_t) +
         listOffsets.size() * sizeof(uint32_t);
}

} // namespace neurite::sim
