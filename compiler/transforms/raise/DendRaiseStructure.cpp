// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-raise-structure: the shell around
// compiler/transforms/raise/RaiseNeuron.h.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/raise/RaiseNeuron.h"

namespace dendrolith {
#define GEN_PASS_DEF_DENDRAISESTRUCTURE
#include "compiler/transforms/Passes.h.inc"

namespace {
struct DendRaiseStructurePass
    : impl::DendRaiseStructureBase<DendRaiseStructurePass> {
  void runOnOperation() override {
    for (auto model :
         llvm::make_early_inc_range(getOperation().getOps<dend::NeuronOp>()))
      raiseNeuron(model);
  }
};
} // namespace
} // namespace dendrolith
