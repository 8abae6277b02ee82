// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new constant of reals for a projection, which weights that were rounded
// and biases that were corrected need.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_REALCONSTANT_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_REALCONSTANT_H

#include "dialects/dend/Dend.h"

#include <string>
#include <vector>

namespace dendrolith {

/// Puts the constant in front of a population; the name may get a number behind
/// it.
mlir::FlatSymbolRefAttr makeReals(dend::PopulationOp population,
                                  const std::string &wanted,
                                  llvm::ArrayRef<int64_t> shape,
                                  const std::vector<double> &values);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_REALCONSTANT_H
