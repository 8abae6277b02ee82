// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/ToSamples.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace neurite;

/// "(steps, 12)": a shape whose leading axes have names.
static std::string expectedShape(const char *leading,
                                 const std::vector<uint64_t> &shape) {
  std::string text = fmt::format("({}", leading);
  for (uint64_t dimension : shape)
    text += fmt::format(", {}", dimension);
  // Python's tuple of one.
  if (shape.empty() && std::string(leading) == "steps")
    text += ',';
  return text + ")";
}

/// "(3, 5, 2)": the index of element i.
static std::string indexText(const std::vector<uint64_t> &shape, uint64_t i) {
  std::vector<uint64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = i % shape[axis];
    i /= shape[axis];
  }
  return shapeText(index);
}

Samples neurite::toSamples(const Array &array,
                           const std::vector<uint64_t> &shape,
                           const std::string &where) {
  size_t rank = array.shape.size();
  bool one = rank == shape.size() + 1;
  if ((!one && rank != shape.size() + 2) ||
      !std::equal(shape.rbegin(), shape.rend(), array.shape.rbegin()))
    throw Error(fmt::format(
        "{}: expected {} or {}, found {}", where, expectedShape("steps", shape),
        expectedShape("samples, steps", shape), shapeText(array.shape)));
  if (array.kind == Array::Kind::Complex)
    throw Error(where + ": expected real numbers, found complex ones");

  Samples result;
  result.shape = shape;
  result.samples = one ? 1 : array.shape[0];
  result.steps = array.shape[one ? 0 : 1];
  if (result.samples == 0 || result.steps == 0)
    throw Error(fmt::format("{}: expected at least one sample of one step, "
                            "found {}",
                            where, shapeText(array.shape)));
  result.values.resize(array.size());
  constexpr int64_t exact = int64_t(1) << 53;
  for (uint64_t i = 0; i < result.values.size(); ++i) {
    if (array.isInteger() && (array.ints[i] > exact || array.ints[i] < -exact))
      throw Error(fmt::format("{}: expected integers of at most 2^53 in "
                              "magnitude, found {} at {}",
                              where, array.ints[i], indexText(array.shape, i)));
    double value = array.value(i);
    if (!std::isfinite(value))
      throw Error(fmt::format("{}: expected finite numbers, found {} at {}",
                              where,
                              std::isnan(value) ? "nan"
                              : value > 0       ? "inf"
                                                : "-inf",
                              indexText(array.shape, i)));
    result.values[i] = value;
  }
  return result;
}
