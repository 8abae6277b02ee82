// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide neuron lies on one core or over several: its forms are mapped, and the
// cheapest one stays.

#ifndef DENDROLITH_COMPILER_PIPELINES_SPLITDENDRITES_H
#define DENDROLITH_COMPILER_PIPELINES_SPLITDENDRITES_H

#include "compiler/import/common/Importer.h"
#include "compiler/mapping/MappingMemo.h"
#include "compiler/pipelines/CompileOptions.h"
#include "compiler/pipelines/Diagnostics.h"
#include "targets/loader/SharedTarget.h"

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_SPLITDENDRITES_H
