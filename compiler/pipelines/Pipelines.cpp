// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Pipelines.h"

#include "compiler/transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace dendrolith {
namespace {

struct FloatRewrite {
  const char *name;
  std::unique_ptr<Pass> (*create)();
};
const FloatRewrite kFloatRewrites[] = {{"fold-readout", createDendFoldReadout},
                                       {"rank-d", createDendRankD}};

/// The chip that the passes of one pipeline share.
SharedTarget shared(SharedTarget chip, const std::string &target) {
  return chip ? chip : SharedTarget(target);
}

} // namespace

std::vector<std::string> floatRewriteNames() {
  std::vector<std::string> names;
  for (const FloatRewrite &rewrite : kFloatRewrites)
    names.push_back(rewrite.name);
  return names;
}

void populateRewritePipeline(OpPassManager &module,
                             const RewriteOptions &options) {
  for (const FloatRewrite &rewrite : kFloatRewrites)
    if (llvm::is_contained(options.names, rewrite.name))
      module.addNestedPass<dend::NetworkOp>(rewrite.create());
}

void populatePreparePipeline(OpPassManager &module) {
  module.addNestedPass<dend::NetworkOp>(createDendDiagonalise());
  module.addNestedPass<dend::NetworkOp>(createDendGauge());
  module.addNestedPass<dend::NetworkOp>(createDendPrepare());
}

void populateQuantisePipeline(OpPassManager &module,
                              const QuantiseOptions &options, SharedTarget chip,
                              std::shared_ptr<const WeightChoices> choices) {
  chip = shared(std::move(chip), options.target);
  module.addNestedPass<dend::NetworkOp>(createDendQuantise(
      DendQuantiseOptions{options.target, options.inputBits, options.weightBits,
                          options.stateBits},
      chip, std::move(choices)));
  module.addNestedPass<dend::NetworkOp>(
      createDendSelectEngine(DendSelectEngineOptions{options.target}, chip));
}

void populateSchedulePipeline(OpPassManager &module,
                              const ScheduleOptions &options,
                              SharedTarget chip) {
  module.addNestedPass<dend::NetworkOp>(
      createDendSchedule(DendScheduleOptions{options.target, options.spikes},
                         shared(std::move(chip), options.target)));
}

void registerDendrolithPipelines() {
  PassPipelineRegistration<RewriteOptions>(
      "dendrolith-rewrite", "Rewrite a float network into a cheaper one",
      populateRewritePipeline);
  PassPipelineRegistration<>(
      "dendrolith-prepare",
      "Bring a float network into the form that is calibrated and quantised",
      populatePreparePipeline);
  PassPipelineRegistration<QuantiseOptions>(
      "dendrolith-quantise",
      "Turn a prepared float network into the integers of a target",
      [](OpPassManager &module, const QuantiseOptions &options) {
        populateQuantisePipeline(module, options);
      });
  PassPipelineRegistration<ScheduleOptions>(
      "dendrolith-schedule", "Give an integer network its chip steps",
      [](OpPassManager &module, const ScheduleOptions &options) {
        populateSchedulePipeline(module, options);
      });
}

} // namespace dendrolith
