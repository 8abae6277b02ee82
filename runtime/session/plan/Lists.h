// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random synapses are on a core: how many sources have targets there, and
// what their lists take.

#ifndef DENDROLITH_RUNTIME_SESSION_PLAN_LISTS_H
#define DENDROLITH_RUNTIME_SESSION_PLAN_LISTS_H

#include "runtime/session/plan/Description.h"
#include "targets/loader/Target.h"

namespace dendrolith::plan {

struct ListSum {
  double lists = 0; // sources with a target on the core, once for each delay
                    // where words hold none
  double axons = 0; // in-axons of them
  double mean = 0;  // targets of such a list there
  double words = 0; // of all their lists
};

/// Those of one bundle on a core with `neurons` of its targets.
ListSum sumOfLists(const Description &network, const Bundle &bundle,
                   double neurons, const Target &target);

} // namespace dendrolith::plan

#endif // DENDROLITH_RUNTIME_SESSION_PLAN_LISTS_H
