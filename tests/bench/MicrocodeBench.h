// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_TESTS_BENCH_MICROCODEBENCH_H
#define DENDROLITH_TESTS_BENCH_MICROCODEBENCH_H

namespace dendrolith::test {

/// v' = keep v / 2^12 + I in 24 bits; a spike above theta sets v to 0.
extern const char *const kLifModel;

/// Adds the rows about programs: neuron updates per second beside the same loop
/// in plain C++.
void registerMicrocodeBenchmarks();

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_BENCH_MICROCODEBENCH_H
