// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that look random and depend on a seed and a counter alone.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_RANDOM_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_RANDOM_H

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace dendrolith::cluster {

/// splitmix64 of a counter.
inline uint64_t hashOf(uint64_t seed, uint64_t counter) {
  uint64_t z = seed + (counter + 1) * uint64_t(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * uint64_t(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * uint64_t(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/// The numbers below `size` in an order that the seed decides.
inline std::vector<uint32_t> shuffled(uint32_t size, uint64_t seed) {
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (uint32_t i = size; i > 1; --i)
    std::swap(order[i - 1], order[hashOf(seed, i) % i]);
  return order;
}

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_RANDOM_H
