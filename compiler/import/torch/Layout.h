// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements and compute nothing.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_LAYOUT_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_LAYOUT_H

#include "compiler/import/torch/Program.h"

namespace dendrolith::torch {

/// Whether an operation rearranges the elements of its first operand.
bool isLayout(const std::string &op);
/// Where the elements of each result come from in an operand of shape `from`;
/// none where the arguments do not fit it.
std::optional<std::vector<Gather>> layoutOf(const Node &node, const Shape &from,
                                            const std::vector<Shape> &to);

/// Whether an operation puts elements of several tensors together.
bool isJoin(const std::string &op);
/// An element of one of several tensors.
struct Joined {
  size_t operand;
  int64_t element;
};
/// Where the elements of the result come from.
std::optional<std::vector<Joined>>
joinOf(const Node &node, const std::vector<Shape> &from, const Shape &to);

/// An axis that may count from the end; none where there is no such axis.
std::optional<size_t> axisOf(int64_t axis, size_t rank);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_LAYOUT_H
