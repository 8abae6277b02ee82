// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NEURITE_TESTS_BENCH_MICROCODEBENCH_H
#define NEURITE_TESTS_BENCH_MICROCODEBENCH_H

namespace neurite::test {

/// Adds the rows about programs: neuron updates per second beside the same loop
/// in plain C++.
void registerMicrocodeBenchmarks();

} // namespace neurite::test

#endif // NEURITE_TESTS_BENCH_MICROCODEBENCH_H
