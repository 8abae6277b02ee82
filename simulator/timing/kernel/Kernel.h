// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way to SystemC. SystemC's library takes several milliseconds to load, in
// every process that is linked with it. So a program that people start loads it
// with the first run of the cycle engine (KernelLoaded.cpp). Tests are linked
// with it (KernelLinked.cpp).

#ifndef DENDROLITH_SIMULATOR_TIMING_KERNEL_KERNEL_H
#define DENDROLITH_SIMULATOR_TIMING_KERNEL_KERNEL_H

#include "simulator/timing/systemc/Elapse.h"

#include <string>
#include <vector>

namespace dendrolith::sim {

/// Is called before the first worker is forked, which then all of them have.
/// Throws Error.
void loadKernel();

/// dendrolithElapse(), which loadKernel() has found.
RunResult elapse(Chip &chip, const Compare &compare);

/// The files that this program is made of, for those who keep what it has
/// computed: itself, and what it loads.
std::vector<std::string> programFiles();

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_KERNEL_KERNEL_H
