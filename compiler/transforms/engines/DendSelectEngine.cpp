// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-select-engine: the shell around compiler/transforms/engines/Engines.h.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/engines/Engines.h"
#include "compiler/transforms/structure/ExpandStructure.h"

namespace neurite {
#define GEN_PASS_DEF_DENDSELECTENGINE
#include "compiler/transforms/Passes.h.inc"

namespace {
struct DendSelectEnginePass : impl::DendSelectEngineBase<DendSelectEnginePass> {
  using DendSelectEngineBase::DendSelectEngineBase;

  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    try {
      Target chip = Target::load(target);
      for (auto model : network.getOps<dend::NeuronOp>())
        if (engineFor(model, chip) == "microcode")
          expandStructure(model);
    } catch (const Error &error) {
      emitError(network.getLoc()) << error.what();
      return signalPassFailure();
    }
  }
};
} // namespace
} // namespace neurite
