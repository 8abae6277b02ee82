// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random float networks that a current-based chip can run, as dend text, with
// inputs. Everything follows from the seed.

#ifndef DENDROLITH_TESTS_AGREEMENT_RANDOMNETWORK_H
#define DENDROLITH_TESTS_AGREEMENT_RANDOMNETWORK_H

#include "runtime/host/Signals.h"

#include <map>
#include <string>

namespace dendrolith::test {

struct RandomNetworkOptions {
  bool loops = true;          // recurrent and self connections, delay >= 1
  bool gradedInputs = false;  // small integers instead of 0 and 1
  bool synapseDelays = false; // each synapse of a projection has its own
};

struct RandomNetwork {
  std::string text;                      // a module with one dend.network
  std::map<std::string, Samples> inputs; // three samples
  bool needsGating = false;              // a loop of several populations
};

/// 1 to 5 populations of 1 to 12 neurons (synaptic and plain leaky neurons,
/// thresholds without memory, silent read-outs), parameters shared or per
/// neuron, biases, reset values, dense, sparse and diagonal projections,
/// skips, delays 0 to 3, one or two inputs of different rates.
RandomNetwork randomNetwork(uint32_t seed, const RandomNetworkOptions &options);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_AGREEMENT_RANDOMNETWORK_H
