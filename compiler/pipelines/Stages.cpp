// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Stages.h"

#include "compiler/lowering/Passes.h"
#include "compiler/pipelines/Pipelines.h"
#include "compiler/pipelines/few_bits/ChooseWeights.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "runtime/host/Workers.h"

using namespace mlir;

namespace dendrolith {

LogicalResult prepareNetwork(ModuleOp module) {
  PassManager passes(module.getContext());
  populatePreparePipeline(passes);
  return passes.run(module);
}

LogicalResult raiseNetwork(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addNestedPass<dend::NetworkOp>(createDendRaiseStructure());
  return passes.run(module);
}

LogicalResult quantiseNetwork(ModuleOp prepared, const CompileOptions &options,
                              const SharedTarget &chip,
                              const std::map<std::string, Samples> &inputs,
                              const QuantiserOptions &quantiser) {
  auto choices = std::make_shared<WeightChoices>();
  if (!quantiser.plain() &&
      failed(chooseWeights(prepared, chip.get(), quantiser, inputs, *choices)))
    return failure();
  QuantiseOptions quantise;
  quantise.target = options.target;
  quantise.stateBits = options.stateBits;
  PassManager passes(prepared.getContext());
  populateQuantisePipeline(passes, quantise, chip, std::move(choices));
  return passes.run(prepared);
}

LogicalResult scheduleNetwork(ModuleOp fixed, const CompileOptions &options,
                              const SharedTarget &chip) {
  ScheduleOptions schedule;
  schedule.target = options.target;
  schedule.spikes = options.spikes;
  PassManager passes(fixed.getContext());
  populateSchedulePipeline(passes, schedule, chip);
  return passes.run(fixed);
}

Target withoutLimits(const SharedTarget &chip, const CompileOptions &options) {
  Target lifted = chip.get();
  for (const std::string &limit : options.overrideLimits)
    lifted.overrideLimit(limit);
  return lifted;
}

static LogicalResult lower(ModuleOp fixed, const CompileOptions &options,
                           const SharedTarget &chip, MappingMemo *memo,
                           MapJob *job) {
  DendToChipOptions lowering;
  lowering.target = options.target;
  lowering.placement = options.placement;
  lowering.solver = options.solver;
  lowering.minCores = options.minCores;
  lowering.maxCores = options.maxCores;
  lowering.mapFor = options.mapFor;
  lowering.timing = options.timing;
  lowering.costs = options.costs;
  lowering.constraints = options.constraints;
  lowering.mapFrom = options.mapFrom;
  lowering.maxMoves = options.maxMoves;
  lowering.seed = options.mapSeed;
  lowering.seconds = options.mapSeconds;
  lowering.threads = workersFor(options.threads, UINT32_MAX);
  lowering.overrideLimit = llvm::to_vector(options.overrideLimits);
  PassManager passes(fixed.getContext());
  passes.addPass(
      createDendToChip(std::move(lowering), chip, options.control, memo, job));
  return passes.run(fixed);
}

LogicalResult mapOntoChip(ModuleOp fixed, const CompileOptions &options,
                          const SharedTarget &chip, MappingMemo &memo) {
  return lower(fixed, options, chip, &memo, nullptr);
}

LogicalResult prepareToMap(ModuleOp fixed, const CompileOptions &options,
                           const SharedTarget &chip, MapJob &job) {
  return lower(fixed, options, chip, nullptr, &job);
}

} // namespace dendrolith
