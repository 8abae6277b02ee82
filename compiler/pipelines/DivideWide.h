// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Into how many pieces neurons that are too large for a core are divided.

#ifndef DENDROLITH_COMPILER_PIPELINES_DIVIDEWIDE_H
#define DENDROLITH_COMPILER_PIPELINES_DIVIDEWIDE_H

#include "compiler/pipelines/Stages.h"
#include "compiler/transforms/network/Refusal.h"

namespace dendrolith {

/// What becomes of each population whose neurons are divided.
struct WidePlan {
  struct Parts {
    std::string parts; ///< as --split-dendrite takes them
    bool front = false;
  };
  std::map<std::string, Parts> divided;
  /// Populations, or pieces of them, and the ports whose synapses neurons of
  /// their own gather.
  std::vector<std::pair<std::string, std::string>> collected;

  bool empty() const { return divided.empty() && collected.empty(); }
  std::string text() const;
};

/// Divides an integer network that is not scheduled yet.
mlir::LogicalResult applyPlan(mlir::ModuleOp fixed, const WidePlan &plan,
                              unsigned messageBits);

/// Whether a neuron is too large for a core, as far as that is seen without a
/// mapping: its program is, or it has many synapses.
bool mayBeTooWide(mlir::ModuleOp fixed, const CompileOptions &options,
                  const SharedTarget &chip);

/// One more step towards a network that fits, after `divided`, made from
/// `fixed` by the plan, was refused for one neuron. Returns why there is none.
std::string widen(WidePlan &plan, mlir::ModuleOp divided, mlir::ModuleOp fixed,
                  const Refusal &refusal);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_DIVIDEWIDE_H
