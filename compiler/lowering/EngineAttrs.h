// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine of a group as attributes: the slice's part of a population's
// parameters.

#ifndef NEURITE_COMPILER_LOWERING_ENGINEATTRS_H
#define NEURITE_COMPILER_LOWERING_ENGINEATTRS_H

#include "compiler/lowering/Engines.h"
#include "compiler/mapping/Mapping.h"

#include "mlir/IR/Builders.h"

namespace neurite {

chip::CubaAttr cubaAttr(mlir::Builder &builder, const CubaTable &table,
                        const Slice &slice);

/// `program`: index among the programs of the core.
chip::MicrocodeAttr microcodeAttr(mlir::Builder &builder,
                                  const MicroTable &table, const Slice &slice,
                                  int64_t program);

} // namespace neurite

#endif // NEURITE_COMPILER_LOWERING_ENGINEATTRS_H
