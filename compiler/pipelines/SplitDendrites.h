// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide neuron lies on one core or over several: its forms are mapped, and the
// cheapest one stays.

#ifndef DENDROLITH_COMPILER_PIPELINES_SPLITDENDRITES_H
#define DENDROLITH_COMPILER_PIPELINES_SPLITDENDRITES_H

#include "compiler/import/common/Importer.h"
#include "compiler/mapping/MappingMemo.h"
#include "compiler/pipelines/Diagnostics.h"
#include "compiler/pipelines/Stages.h"
#include "targets/loader/Target.h"

#include "compiler/transforms/network/Refusal.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace dendrolith {

/// Splits the wide dendrites of an integer network, not yet scheduled, as
/// `options.splitDendrite` asks; "auto" maps the network with each of them wide
/// and in 2, 4, 8, ... parts up to the first number that fits, and takes what
/// the mapper finds cheapest, wide on a tie. Both costs are added to the
/// choices. If neither fits, the network stays wide and the parts come back,
/// for DiagnosticsAsError::raise(). `mapped` says whether the mapper was asked.
/// `memo` keeps what the mapper answered. Throws Error, also where a form of
/// the network neither fits nor is refused by the chip: such an error would
/// come back in every other form.
std::optional<Tried> splitDendrites(mlir::OwningOpRef<mlir::ModuleOp> &fixed,
                                    const CompileOptions &options,
                                    const SharedTarget &chip, MappingMemo &memo,
                                    Choices &choices, bool &mapped);

// Forms of a network, which are mapped to find the cheapest one.

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

#endif // DENDROLITH_COMPILER_PIPELINES_SPLITDENDRITES_H
