// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's cores on the mesh of a target.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_ONTARGET_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_ONTARGET_H

#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Target.h"
#include "targets/mesh/Routing.h"

namespace dendrolith::sim {

/// The tiles that hold a core of the machine, and their chips.
Extent extentOf(const Machine &machine, const Target &target);

/// Throws Error when the program uses a core the target does not have.
void checkFits(const Machine &machine, const Target &target);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_ONTARGET_H
