// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks of random step bodies in reals, whose values stay of moderate
// size, so that a quantiser can follow.

#ifndef DENDROLITH_TESTS_AGREEMENT_RANDOMREALS_H
#define DENDROLITH_TESTS_AGREEMENT_RANDOMREALS_H

#include "runtime/host/Signals.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::test {

struct RandomReals {
  std::string text;                      // of a module with one network
  std::map<std::string, Samples> inputs; // 3 samples
  std::map<std::string, int> kinds;      // ops written, by name
  std::vector<std::string> traces;       // "population:state"
};

/// The most that there is of neurons, and of elements along an axis.
struct RealSizes {
  int neurons = 3, extent = 3;
};

/// The same seed gives the same network.
RandomReals randomReals(uint32_t seed, RealSizes most = {});

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_AGREEMENT_RANDOMREALS_H
