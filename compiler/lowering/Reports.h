// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mapping tells the user, as attributes of the program image.

#ifndef DENDROLITH_COMPILER_LOWERING_REPORTS_H
#define DENDROLITH_COMPILER_LOWERING_REPORTS_H

#include "compiler/lowering/CoreTables.h"

#include "mlir/IR/Builders.h"

namespace dendrolith {

/// Rows of the fit table.
mlir::ArrayAttr fitRows(mlir::Builder &builder, const Mapping &mapping);

/// Solver, cost, baseline and cores in use.
report::MappingReportAttr mappingReport(mlir::Builder &builder,
                                        const Mapping &mapping, size_t cores);

/// The limits lifted by request: what the chip would allow and what is used.
/// Limits without a row in the fit table (delays) report no use. Null for none.
mlir::ArrayAttr overriddenLimits(mlir::Builder &builder, const Target &chip,
                                 const LoweredNetwork &network,
                                 const Mapping &mapping);

/// The notes so far, and for each population of several programs which neurons
/// run which, and what sharing lists saves. Null for none.
mlir::ArrayAttr policies(mlir::Builder &builder, mlir::ArrayAttr soFar,
                         const LoweredNetwork &network, const Sharing &sharing);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_REPORTS_H
