// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way to SystemC. SystemC's library takes several milliseconds to load, in
// every process that is linked with it. So a program that people start loads it
// with the first run of the cycle engine (Loaded.cpp). Tests are linked with it
// (Linked.cpp).

#ifndef DENDROLITH_SIMULATOR_TIMING_KERNEL_KERNEL_H
#define DENDROLITH_SIMULATOR_TIMING_KERNEL_KERNEL_H

#include "simulator/RunResult.h"
#include "simulator/timing/Chip.h"

#include <functional>
#include <string>
#include <vector>

namespace dendrolith::sim {

/// Sees what was counted in the mesh.
using Compare = std::function<void(const Counts &)>;

/// Is called before the first worker is forked, which then all of them have.
/// Throws Error.
void loadKernel();

/// Elaborates the chip and lets time pass. When all samples are over, `compare`
/// is called, with --verify. Throws Error.
RunResult elapse(Chip &chip, const Compare &compare);

/// The files that this program is made of, for those who keep what it has
/// computed: itself, and what it loads.
std::vector<std::string> programFiles();

} // namespace dendrolith::sim

/// elapse() as the loaded file has it, by a name that the compiler leaves as it
/// is. It throws what elapse() throws.
extern "C" void dendrolithElapse(dendrolith::sim::Chip &chip,
                                 const dendrolith::sim::Compare &compare,
                                 dendrolith::sim::RunResult &result);

#endif // DENDROLITH_SIMULATOR_TIMING_KERNEL_KERNEL_H
