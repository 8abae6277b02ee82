// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-expand-structure: the shell around
// compiler/transforms/structure/ExpandStructure.h.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/structure/ExpandStructure.h"

namespace dendrolith {
#define GEN_PASS_DEF_DENDEXPANDSTRUCTURE
#include "compiler/transforms/Passes.h.inc"

namespace {
struct DendExpandStructurePass
    : impl::DendExpandStructureBase<DendExpandStructurePass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<dend::NeuronOp>())
      expandStructure(model);
  }
};
} // namespace
} // namespace dendrolith
