// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where outputs go that are too long for memory: the answer of a run straight
// into the file that its result will have, all others into files without a
// name.

#ifndef NEURITE_RUNTIME_SESSION_LONGOUTPUTS_H
#define NEURITE_RUNTIME_SESSION_LONGOUTPUTS_H

#include "runtime/session/Workload.h"
#include "simulator/RunOptions.h"

namespace neurite::session {

/// The first such run of a workload is the one whose result is written; those
/// that it is compared with are `further` ones. The workload outlives the
/// store.
sim::OutputStore longOutputs(const Workload &workload, bool further);

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_LONGOUTPUTS_H
