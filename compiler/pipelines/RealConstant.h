// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new constant of reals for a projection, which weights that were rounded
// and biases that were corrected need.

#ifndef NEURITE_COMPILER_PIPELINES_REALCONSTANT_H
#define NEURITE_COMPILER_PIPELINES_REALCONSTANT_H

#include "dialects/dend/Dend.h"

#include <string>
#include <vector>

namespace neurite {

/// Puts the constant in front of a population; the name may get a number behind
/// it.
mlir::FlatSymbolRefAttr makeReals(dend::PopulationOp population,
                                  const std::string &wanted,
                                  llvm::ArrayRef<int64_t> shape,
                                  const std::vector<double> &values);

} // namespace neurite

#endif // NEURITE_COMPILER_PIPELINES_REALCONSTANT_H
