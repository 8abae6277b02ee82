// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Stages.h"

#include "compiler/lowering/Passes.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace neurite {

LogicalResult scheduleNetwork(ModuleOp fixed, const CompileOptions &options) {
  PassManager passes(fixed.getContext());
  passes.addNestedPass<dend::NetworkOp>(
      createDendSchedule(DendScheduleOptions{options.target, options.spikes}));
  return passes.run(fixed);
}

LogicalResult mapOntoChip(ModuleOp fixed, const CompileOptions &options) {
  DendToChipOptions lowering;
  lowering.target = options.target;
  lowering.placement = options.placement;
  lowering.solver = options.solver;
  lowering.minCores = options.minCores;
  lowering.overrideLimit.assign(options.overrideLimits.begin(),
                                options.overrideLimits.end());
  PassManager passes(fixed.getContext());
  passes.addPass(createDendToChip(lowering));
  return passes.run(fixed);
}

} // namespace neurite
