// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks of random step bodies: clocks, held ports, resets by clock,
// graded and unary spikes, vectors of ports and outputs, delays and biases.

#ifndef DENDROLITH_TESTS_AGREEMENT_RANDOMBODIES_H
#define DENDROLITH_TESTS_AGREEMENT_RANDOMBODIES_H

#include "runtime/host/Signals.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::test {

struct RandomBodies {
  std::string text;                      // of a module with one network
  std::map<std::string, Samples> inputs; // 2 samples
  std::map<std::string, int> kinds;      // ops written, by name
  int bodies = 0;
  std::vector<std::string> traces; // "population:state", "population:output"
};

/// The same seed gives the same network.
RandomBodies randomBodies(uint32_t seed);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_AGREEMENT_RANDOMBODIES_H
