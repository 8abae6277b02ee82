// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/ToSamples.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace dendrolith;

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

std::string dendrolith::indexText(const std::vector<uint64_t> &shape,
                                  uint64_t i) {
  std::vector<uint64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = i % shape[axis];
    i /= shape[axis];
  }
  return shapeText(index);
}

void dendrolith::requireFinite(double value, const std::vector<uint64_t> &shape,
                               uint64_t i, const std::string &where) {
  if (std::isfinite(value))
    return;
  throw Error(fmt::format("{}: expected finite numbers, found {} at {}", where,
                          std::isnan(value) ? "nan"
                          : value > 0       ? "inf"
                                            : "-inf",
                          indexText(shape, i)));
}

Samples dendrolith::frameOf(const std::vector<uint64_t> &found,
                            const std::vector<uint64_t> &shape,
                            const std::string &where) {
  bool one = found.size() == shape.size() + 1;
  if ((!one && found.size() != shape.size() + 2) ||
      !std::equal(shape.rbegin(), shape.rend(), found.rbegin()))
    throw Error(fmt::format(
        "{}: expected {} or {}, found {}", where, expectedShape("steps", shape),
        expectedShape("samples, steps", shape), shapeText(found)));
  Samples result;
  result.shape = shape;
  result.samples = one ? 1 : found[0];
  result.steps = found[one ? 0 : 1];
  if (result.samples == 0 || result.steps == 0)
    throw Error(fmt::format("{}: expected at least one sample of one step, "
                            "found {}",
                            where, shapeText(found)));
  return result;
}

Samples dendrolith::toSamples(const Array &array,
                              const std::vector<uint64_t> &shape,
                              const std::string &where) {
  Samples result = frameOf(array.shape, shape, where);
  if (array.kind == Array::NumberKind::Complex)
    throw Error(where + ": expected real numbers, found complex ones");
  std::vector<double> values(array.size());
  constexpr int64_t exact = int64_t(1) << 53;
  for (uint64_t i = 0; i < values.size(); ++i) {
    if (array.isInteger() && (array.ints[i] > exact || array.ints[i] < -exact))
      throw Error(fmt::format("{}: expected integers of at most 2^53 in "
                              "magnitude, found {} at {}",
                              where, array.ints[i], indexText(array.shape, i)));
    values[i] = array.value(i);
    requireFinite(values[i], array.shape, i, where);
  }
  result.values = std::move(values);
  return result;
}
