// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cycle engine in SystemC, from elaboration until all samples are over.

#ifndef DENDROLITH_SIMULATOR_TIMING_SYSTEMC_ELAPSE_H
#define DENDROLITH_SIMULATOR_TIMING_SYSTEMC_ELAPSE_H

#include "simulator/result/RunResult.h"
#include "simulator/timing/chip/Chip.h"

#include <functional>

namespace dendrolith::sim {

/// Sees what was counted in the mesh.
using Compare = std::function<void(const Counts &)>;

} // namespace dendrolith::sim

/// Elaborates the chip and lets time pass. When all samples are over, `compare`
/// is called, with --verify. Throws Error. The compiler leaves this name as it
/// is, so that a loaded file has it.
extern "C" void dendrolithElapse(dendrolith::sim::Chip &chip,
                                 const dendrolith::sim::Compare &compare,
                                 dendrolith::sim::RunResult &result);

#endif // DENDROLITH_SIMULATOR_TIMING_SYSTEMC_ELAPSE_H
