// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many flits the mesh moves in a second of the host, the generator of the
// traffic included.

#ifndef DENDROLITH_TESTS_BENCH_NOCSPEED_H
#define DENDROLITH_TESTS_BENCH_NOCSPEED_H

#include "tests/targets/mesh/NocExperiment.h"

namespace dendrolith::test {

/// Prints a CSV row for each way to keep the time: a loop, one SystemC process
/// that wakes at every instant at which something moves, and one that runs
/// ahead of the kernel until the end as the cycle engine does within a step.
/// Best of five.
void printSpeed(const TrafficCase &traffic);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_BENCH_NOCSPEED_H
