// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulator/functional/machine/WordScan.h: the scan of 64 flags at a time
// against a loop over the flags.

#include "simulator/functional/machine/WordScan.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace dendrolith::sim {
namespace {

using Spikes = std::vector<std::pair<uint32_t, uint32_t>>;

Spikes scan(const std::vector<uint8_t> &flags) {
  Spikes found;
  eachSpike(flags, [&](uint32_t neuron, uint32_t active) {
    found.emplace_back(neuron, active);
  });
  return found;
}

Spikes plainly(const std::vector<uint8_t> &flags) {
  Spikes found;
  uint32_t active = 0;
  for (uint32_t n = 0; n < flags.size(); ++n) {
    active += (flags[n] & kActive) != 0;
    if (flags[n] & kSpiked)
      found.emplace_back(n, active);
  }
  return found;
}

TEST(SpikeScan, EqualsALoopOverFlags) {
  std::mt19937 random(1);
  for (size_t size = 0; size <= 200; size += 8)
    for (uint32_t one : {1u, 2u, 9u, 50u}) {
      std::vector<uint8_t> flags(size);
      for (uint8_t &flag : flags)
        flag = uint8_t((random() % one == 0 ? kActive : 0) |
                       (random() % one == 0 ? kSpiked : 0));
      EXPECT_EQ(scan(flags), plainly(flags)) << size << ", one in " << one;
    }
}

} // namespace
} // namespace dendrolith::sim
