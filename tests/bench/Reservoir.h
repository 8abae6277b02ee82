// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random reservoirs of AxonFlow and AxonCUDA ("16k_rand" and so on) by
// their rule: neurons in the unit cube, targets near by and ahead, a few of
// them anywhere, log-normal rates.

#ifndef DENDROLITH_TESTS_BENCH_RESERVOIR_H
#define DENDROLITH_TESTS_BENCH_RESERVOIR_H

#include "compiler/mapping/network/Network.h"

namespace dendrolith {

/// One population with a rate for each neuron, and no inputs. The same on every
/// machine; not the networks that numpy's generator gives, but of their kind.
MapNetwork reservoir(uint32_t neurons, double fanOut, uint64_t seed);

} // namespace dendrolith

#endif // DENDROLITH_TESTS_BENCH_RESERVOIR_H
