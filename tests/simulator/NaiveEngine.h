// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image's semantics a second time, as plainly as it can be said: a map
// from due step to sum for each compartment, wide integers, no speed. Shares
// no code with simulator/.

#ifndef NEURITE_TESTS_SIMULATOR_NAIVEENGINE_H
#define NEURITE_TESTS_SIMULATOR_NAIVEENGINE_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace neurite::test {

/// What each neuron of a population did, row-major (samples, ticks, size).
struct NaiveRecord {
  std::vector<int64_t> spikes, u, v;
};

/// By population.
std::map<std::string, NaiveRecord>
runNaively(const image::Program &program,
           const std::map<std::string, Samples> &inputs);

/// The payload an input value becomes.
int64_t naivePayload(const image::Input &input, double value);

} // namespace neurite::test

#endif // NEURITE_TESTS_SIMULATOR_NAIVEENGINE_H
