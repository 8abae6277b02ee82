// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two engines that execute a program image, one beside the other.

#ifndef DENDROLITH_SIMULATOR_RUN_H
#define DENDROLITH_SIMULATOR_RUN_H

#include "simulator/FunctionalProgram.h"
#include "simulator/timing/RunCycle.h"

#endif // DENDROLITH_SIMULATOR_RUN_H
