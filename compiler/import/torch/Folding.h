// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known before the network runs, computed in double.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_FOLDING_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_FOLDING_H

#include "compiler/import/torch/Program.h"

namespace dendrolith::torch {

/// An element-wise operation of constants, one for each tensor or number among
/// the arguments, in their order; none for an operation that is not known here.
std::optional<Constant> foldElements(const Node &node,
                                     const std::vector<Constant> &operands,
                                     const Shape &result);
/// A tensor that an operation makes of nothing (full, zeros_like, arange); none
/// for any other operation.
std::optional<Constant> madeConstant(const Node &node, const Shape &result);
/// Sum, mean or largest over the axes that the node names.
std::optional<Constant> foldReduction(const Node &node, const Constant &operand,
                                      const Shape &result);

/// For each element of an operand, the element of the sum over `axes` that it
/// adds to.
Gather reductionMap(const Shape &from, const Shape &axes);
/// The axes that a reduction names: all where it names none.
Shape reducedAxes(const Node &node, size_t rank);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_FOLDING_H
