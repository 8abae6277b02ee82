// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Layout.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace dendrolith::study {

Layout::Layout(const Network &net) : net(net), rank(net.neurons) {
  if (net.core.empty()) {
    numbers.resize(net.neurons);
    std::iota(numbers.begin(), numbers.end(), 0);
    rank = numbers;
    cores.resize(net.neurons);
    return;
  }
  // A counting sort by core, which is stable: neurons of a core keep their
  // order.
  std::vector<uint32_t> next(net.cores + 1);
  for (uint32_t n = 0; n < net.neurons; ++n)
    ++next[net.core[net.inputs + n] + 1];
  for (uint32_t c = 0; c < net.cores; ++c)
    next[c + 1] += next[c];
  numbers.resize(net.neurons);
  cores.resize(net.neurons);
  for (uint32_t n = 0; n < net.neurons; ++n) {
    int32_t core = net.core[net.inputs + n];
    uint32_t at = next[core]++;
    rank[n] = int32_t(at);
    numbers[at] = int32_t(n);
    cores[at] = core;
  }
}

void Layout::checkPotentials(const std::string &path) const {
  constexpr int64_t most = (int64_t(1) << 23) - 1;
  // A weight is added to the sum upwards or downwards without a branch, because
  // signs are as good as random.
  std::vector<std::array<int64_t, 2>> sums(net.neurons);
  for (size_t k = 0; k < net.target.size(); ++k)
    sums[net.target[k]][net.weight[k] < 0] += net.weight[k];
  for (uint32_t n = 0; n < net.neurons; ++n) {
    const auto [up, down] = sums[n];
    // The worst case is that all sources spike at once and, for the potential,
    // in every step. What is above the threshold is reset, so only the way down
    // adds up.
    int64_t high = up << kFractionBits, low = -down * 64;
    bool fits = high <= most && low <= most;
    bool state = low == 0 || (net.leak > 0 && low * 4096 / net.leak <= most);
    if (!fits || !state)
      throw Error(fmt::format(
          "{}: neuron {}: expected a potential within 24 bits of 1/64, found "
          "weights of +{} and {} in all at a leak of {}/4096: what leaves them "
          "would no longer be the file's integers; use smaller or fewer "
          "weights, or a larger leak",
          path, n, up, down, net.leak));
  }
}

Synapses
Layout::synapses(uint32_t first, uint32_t count, const std::string &path,
                 const std::function<bool(uint32_t source)> &wanted) const {
  Synapses out;
  size_t size = 0;
  for (uint32_t source = first; source < first + count; ++source)
    if (wanted(source))
      size += size_t(net.begin[source + 1] - net.begin[source]);
  out.indices.resize(2 * size);
  out.weight.resize(size);
  std::vector<std::pair<int32_t, int16_t>> row;
  std::vector<uint32_t> next(net.cores + 1);
  size_t at = 0; // the source's first
  auto put = [&](size_t k, int32_t target, uint32_t source, int16_t weight) {
    out.indices[2 * (at + k)] = target;
    out.indices[2 * (at + k) + 1] = int32_t(source);
    out.weight[at + k] = weight;
  };
  for (uint32_t source = 0; source < count; ++source) {
    uint32_t from = first + (first ? uint32_t(numbers[source]) : source);
    if (!wanted(from))
      continue;
    const int64_t begin = net.begin[from], end = net.begin[from + 1];
    row.resize(size_t(end - begin));
    for (int64_t k = begin; k < end; ++k)
      row[size_t(k - begin)] = {rank[net.target[k]], net.weight[k]};
    bool rising = true;
    for (int64_t k = begin + 1; k < end; ++k)
      rising &= net.target[k] > net.target[k - 1];
    if (rising && row.size() * 8 > net.cores) {
      // Sorting by core is enough: within a core, new numbers rise as the old
      // ones do.
      std::fill(next.begin(), next.end(), 0);
      for (auto [target, weight] : row)
        ++next[cores[target] + 1];
      for (uint32_t c = 0; c < net.cores; ++c)
        next[c + 1] += next[c];
      for (auto [target, weight] : row)
        put(next[cores[target]]++, target, source, weight);
    } else {
      std::sort(row.begin(), row.end());
      for (size_t k = 0; k < row.size(); ++k) {
        const auto [target, weight] = row[k];
        if (k > 0 && target == row[k - 1].first)
          throw Error(
              fmt::format("{}: 'col': source {} reaches neuron {} by two "
                          "synapses; add their weights",
                          path, from, numbers[target]));
        put(k, target, source, weight);
      }
    }
    at += row.size();
  }
  return out;
}

} // namespace dendrolith::study
