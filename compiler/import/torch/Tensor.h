// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes, and tensors whose elements are known before the network runs.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_TENSOR_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_TENSOR_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::torch {

using Shape = std::vector<int64_t>;
/// For each element of a result, the element of an operand that it is.
using Gather = std::vector<int64_t>;

struct Constant {
  Shape shape;
  std::vector<double> values;
  std::string name = {};              ///< of the parameter that it is, or empty
  std::vector<double> imaginary = {}; ///< of complex numbers, or empty
};

int64_t count(const Shape &shape);
std::string textOf(const Shape &shape);
/// "tensor<2x3xf64>", or "f64" without an axis.
std::string tensorType(const Shape &shape);
/// Without extents of 1.
Shape squeezed(const Shape &shape);
/// Elements from one to the next along each axis.
Shape stridesOf(const Shape &shape);
/// The shape that both are broadcast to; none where they do not fit.
std::optional<Shape> broadcast(const Shape &a, const Shape &b);
/// Which element of a tensor of shape `from` broadcasting puts where. Throws
/// std::out_of_range where the shapes do not fit.
Gather broadcastMap(const Shape &from, const Shape &to);
/// Adds one to an index into `shape`, the last axis first.
void advance(Shape &index, const Shape &shape);

template <typename T>
std::vector<T> gathered(const std::vector<T> &from, const Gather &map) {
  std::vector<T> to;
  to.reserve(map.size());
  for (int64_t i : map)
    to.push_back(from[size_t(i)]);
  return to;
}

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_TENSOR_H
