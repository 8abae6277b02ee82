// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Shards.h"

#include <algorithm>
#include <numeric>

namespace dendrolith::explore {

constexpr uint64_t kWholeGroup = 8;

uint64_t shardSize(uint64_t designs) {
  return std::clamp<uint64_t>(designs / 128, 1, 256);
}

std::vector<Shard> shardsOf(const std::vector<uint32_t> &groups) {
  std::vector<uint64_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return groups[a] < groups[b];
  });
  const uint64_t most = shardSize(groups.size());
  std::vector<Shard> shards;
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && groups[order[end]] == groups[order[begin]])
      ++end;
    if (shards.empty() || shards.back().size() + (end - begin) > most)
      shards.emplace_back();
    for (; begin < end; ++begin) {
      if (shards.back().size() == std::max(most, kWholeGroup))
        shards.emplace_back();
      shards.back().push_back(order[begin]);
    }
  }
  return shards;
}

} // namespace dendrolith::explore
