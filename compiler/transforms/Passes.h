// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_TRANSFORMS_PASSES_H
#define DENDROLITH_COMPILER_TRANSFORMS_PASSES_H

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

#include "mlir/Pass/Pass.h"

namespace dendrolith {
class WeightChoices;

#define GEN_PASS_DECL
#include "compiler/transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/Passes.h.inc"

/// Passes of a pipeline ask a chip that all of them share; passes on their own
/// read the one that their option `target` names.
/// `choices` are of the network that the pass is going to run on; may be null.
std::unique_ptr<mlir::Pass>
createDendQuantise(DendQuantiseOptions options, SharedTarget chip,
                   std::shared_ptr<const WeightChoices> choices = {});
std::unique_ptr<mlir::Pass>
createDendSelectEngine(DendSelectEngineOptions options, SharedTarget chip);
std::unique_ptr<mlir::Pass> createDendSchedule(DendScheduleOptions options,
                                               SharedTarget chip);
} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_PASSES_H
