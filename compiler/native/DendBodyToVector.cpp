// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/MachineCode.h"
#include "compiler/native/Passes.h"
#include "compiler/native/body/BodyOps.h"
#include "compiler/native/body/BodyToVector.h"
#include "compiler/native/code/Function.h"

#include "mlir/Pass/PassRegistry.h"

namespace dendrolith {

#define GEN_PASS_DEF_DENDBODYTOVECTOR
#include "compiler/native/Passes.h.inc"

namespace {

struct DendBodyToVector : impl::DendBodyToVectorBase<DendBodyToVector> {
  using DendBodyToVectorBase::DendBodyToVectorBase;

  void runOnOperation() override {
    std::vector<dend::NeuronOp> models;
    getOperation().walk([&](dend::NeuronOp op) { models.push_back(op); });
    auto b = mlir::OpBuilder::atBlockEnd(getOperation().getBody());
    for (dend::NeuronOp model : models)
      if (native::body::isKnown(model) &&
          failed(native::body::writeBody(
              b, model, lanes,
              native::freeName(getOperation(), model.getSymName()))))
        return signalPassFailure();
  }
};

} // namespace

void registerNativePipelines() {
  mlir::PassPipelineRegistration<>(
      "native-to-llvm",
      "Lower vector, scf, math and arith to llvm, as machine code is made",
      native::buildNativeToLLVM);
}

} // namespace dendrolith
