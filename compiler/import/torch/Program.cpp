// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Program.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace dendrolith::torch {

int64_t count(const Shape &shape) {
  int64_t all = 1;
  for (int64_t extent : shape)
    all *= extent;
  return all;
}

std::string textOf(const Shape &shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

std::string tensorType(const Shape &shape) {
  return shape.empty() ? "f64"
                       : fmt::format("tensor<{}xf64>", fmt::join(shape, "x"));
}

Shape squeezed(const Shape &shape) {
  Shape kept;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(kept),
               [](int64_t extent) { return extent != 1; });
  return kept;
}

Shape stridesOf(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::optional<Shape> broadcast(const Shape &a, const Shape &b) {
  Shape all(std::max(a.size(), b.size()), 1);
  for (const Shape *one : {&a, &b})
    for (size_t i = 0; i < one->size(); ++i) {
      int64_t &extent = all[all.size() - one->size() + i];
      if (extent != 1 && (*one)[i] != 1 && extent != (*one)[i])
        return std::nullopt;
      extent = extent == 1 ? (*one)[i] : extent;
    }
  return all;
}

void advance(Shape &index, const Shape &shape) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++index[i] < shape[i])
      return;
    index[i] = 0;
  }
}

Gather broadcastMap(const Shape &from, const Shape &to) {
  if (broadcast(from, to) != to)
    throw std::out_of_range("a shape that does not fit");
  Shape strides = stridesOf(from), index(to.size(), 0);
  const size_t lead = to.size() - from.size();
  Gather map(size_t(count(to)));
  for (int64_t &element : map) {
    element = 0;
    for (size_t i = 0; i < from.size(); ++i)
      element += from[i] == 1 ? 0 : index[lead + i] * strides[i];
    advance(index, to);
  }
  return map;
}

} // namespace dendrolith::torch
