// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of a network, which are mapped to find the cheapest one.

#ifndef DENDROLITH_COMPILER_PIPELINES_FORMS_H
#define DENDROLITH_COMPILER_PIPELINES_FORMS_H

#include "compiler/pipelines/Stages.h"
#include "compiler/transforms/network/Refusal.h"

namespace dendrolith {

/// One way to place the dendrites, mapped.
struct PlacedForm {
  int64_t parts = 1;
  std::optional<double> cost; ///< as the mapper counts it; absent: no fit
  std::string unit;           ///< of the cost
  std::string message;        ///< why the network does not fit
  Refusal refusal;

  std::string name() const;
  std::string text() const;
};

/// A form of the network on its way to the mapper.
struct NetworkForm {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<MapJob> job; ///< absent: it is refused without a mapping
  PlacedForm placed;
};

/// A copy of the network, with each dendrite in so many parts and ready to be
/// mapped. Throws Error for whatever is no answer to the question whether it
/// fits, here and below.
NetworkForm formOf(mlir::ModuleOp fixed, int64_t parts,
                   const CompileOptions &options, const SharedTarget &chip);

/// Maps those of the forms that are not refused yet. The answers are in their
/// order, without a fit and an error where there was nothing to map.
std::vector<MappingMemo::Answer>
mapAll(llvm::ArrayRef<const NetworkForm *> forms, const CompileOptions &options,
       MappingMemo &memo);

/// What the mapper says about a form.
void note(MappingMemo::Answer &answer, NetworkForm &form);

/// Maps the forms and notes what the mapper says.
void place(llvm::ArrayRef<NetworkForm *> forms, const CompileOptions &options,
           MappingMemo &memo);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FORMS_H
