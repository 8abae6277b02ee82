// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This says the image's semantics a second time, as plainly as it can be said:
// with a map from due step to sum for each accumulator, with wide integers and
// without regard to speed. It shares no code with simulator/.

#ifndef DENDROLITH_TESTS_SIMULATOR_NAIVEENGINE_H
#define DENDROLITH_TESTS_SIMULATOR_NAIVEENGINE_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::test {

/// A record says what each neuron of a population did, in row-major order of
/// (samples, ticks, size).
struct NaiveRecord {
  std::vector<int64_t> spikes, u, v;
};

/// Runs all samples and returns a record by population.
std::map<std::string, NaiveRecord>
runNaively(const image::Program &program,
           const std::map<std::string, Samples> &inputs);

/// Returns the payload that an input value becomes.
int64_t naivePayload(const image::Input &input, double value);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_NAIVEENGINE_H
