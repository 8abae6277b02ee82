// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/Entries.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace dendrolith::lava {

std::vector<int16_t> takeSorted(SynapseEntries &entries,
                                std::vector<int32_t> &indices) {
  std::sort(entries.begin(), entries.end(),
            [](const SynapseEntry &a, const SynapseEntry &b) {
              return std::tie(a.source, a.target) <
                     std::tie(b.source, b.target);
            });
  std::vector<int16_t> weights;
  for (const SynapseEntry &entry : entries) {
    weights.push_back(int16_t(entry.weight));
    indices.push_back(int32_t(entry.target));
    indices.push_back(int32_t(entry.source));
  }
  return weights;
}

/// Calls use(target, source, weight) for the group's weights that are not 0;
/// those of a convolution by row of targets, with source 0.
template <typename F>
void DelayGroup::each(const Synapse &synapse, F use) const {
  const Array &weights = synapse.weights;
  auto visit = [&](uint64_t row, uint64_t column, size_t k) {
    int64_t own = synapse.delays.empty()       ? 0
                  : synapse.delays.size() == 1 ? synapse.delays[0]
                                               : synapse.delays[k];
    if (own == delay && weights.integers[k] != 0)
      use(row, column, int32_t(weights.integers[k]));
  };
  if (weights.isSparse) {
    for (uint64_t row = 0; row < weights.dims[0]; ++row)
      for (int64_t k = weights.rows[row]; k < weights.rows[row + 1]; ++k)
        visit(row, uint64_t(weights.columns[size_t(k)]), size_t(k));
    return;
  }
  size_t perRow = weights.integers.size() / weights.dims[0];
  for (size_t k = 0; k < weights.integers.size(); ++k)
    visit(k / perRow, synapse.window ? 0 : k % perRow, k);
}

unsigned DelayGroup::trailingZeros() const {
  return unsigned(__builtin_ctz(bits));
}

std::vector<double> DelayGroup::rowSums(const Synapse &synapse) const {
  std::vector<double> sums(synapse.weights.dims[0], 0);
  each(synapse, [&](uint64_t row, uint64_t, int32_t weight) {
    sums[row] += std::fabs(double(weight));
  });
  return sums;
}

SynapseEntries DelayGroup::entries(const Synapse &synapse) const {
  SynapseEntries all;
  if (synapse.window) {
    synapse.window->taps([&](int64_t target, int64_t source, int64_t weight) {
      int64_t value = synapse.weights.integers[size_t(weight)];
      if (value)
        all.push_back({uint32_t(target), uint32_t(source), int32_t(value)});
    });
    return all;
  }
  each(synapse, [&](uint64_t row, uint64_t column, int32_t weight) {
    all.push_back({uint32_t(row), uint32_t(column), weight});
  });
  return all;
}

std::vector<DelayGroup> delayGroupsOf(const Synapse &synapse) {
  std::set<int64_t> delays(synapse.delays.begin(), synapse.delays.end());
  if (delays.empty())
    delays.insert(0);
  std::vector<DelayGroup> groups;
  for (int64_t delay : delays) {
    DelayGroup group;
    group.delay = delay;
    group.whole = delays.size() == 1;
    group.each(synapse, [&](uint64_t, uint64_t, int32_t weight) {
      ++group.size;
      group.bits |= uint32_t(weight);
    });
    groups.push_back(group);
  }
  return groups;
}

} // namespace dendrolith::lava
