// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/Peaks.h"

#include "simulator/functional/neuron/Versions.h"

#include <algorithm>

namespace neurite::sim {

static void largest(const int64_t *const &words, const size_t &count,
                    int64_t &most) {
  const int64_t *const from = words;
  const size_t all = count;
  int64_t found = most;
  for (size_t n = 0; n < all; ++n)
    found = std::max(found, sizeOf(from[n]));
  most = found;
}

void findPeaks(const State &state, const Machine::Group &group,
               GroupUpdate &update) {
  const auto see = versionsOf<largest>().of(bestIsa());
  const size_t row = group.micro->row();
  // Rows without a gap are one, which for a single neuron are its words.
  const bool dense = row == group.count;
  for (const Machine::Watched &watched : group.watched) {
    const MicroProgram::State &s = group.micro->states()[watched.part];
    const int64_t *words = state.wordsOf(group) + s.first * row;
    int64_t most = 0;
    const size_t count = group.count * (dense ? size_t(s.elements) : 1);
    for (uint32_t w = 0; w < (dense ? 1 : s.elements); ++w, words += row)
      see(words, count, most);
    update.peaks.push_back(most);
  }
}

} // namespace neurite::sim
