// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-select-engine: the shell around compiler/transforms/engines/Engines.h.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/engines/Engines.h"
#include "compiler/transforms/structure/ExpandStructure.h"

namespace dendrolith {
#define GEN_PASS_DEF_DENDSELECTENGINE
#include "compiler/transforms/Passes.h.inc"

namespace {
struct DendSelectEnginePass : impl::DendSelectEngineBase<DendSelectEnginePass> {
  using DendSelectEngineBase::DendSelectEngineBase;
  DendSelectEnginePass(DendSelectEngineOptions options, SharedTarget chip)
      : DendSelectEngineBase(std::move(options)), chip(std::move(chip)) {}

  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    try {
      EngineChoice engines(network, chip.getOr(target));
      for (auto model : network.getOps<dend::NeuronOp>())
        if (engines.of(model) == "microcode")
          expandStructure(model);
    } catch (const Error &error) {
      emitError(network.getLoc()) << error.what();
      return signalPassFailure();
    }
  }

private:
  SharedTarget chip;
};
} // namespace

std::unique_ptr<mlir::Pass>
createDendSelectEngine(DendSelectEngineOptions options, SharedTarget chip) {
  return std::make_unique<DendSelectEnginePass>(std::move(options),
                                                std::move(chip));
}

} // namespace dendrolith
