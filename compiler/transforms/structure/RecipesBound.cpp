// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error bounds of the recipes, derived in README.md, section "Recipes".

#include "compiler/transforms/structure/RecipeTables.h"
#include "compiler/transforms/structure/Recipes.h"

#include <algorithm>
#include <cmath>

namespace dendrolith {
namespace {

// A knot is rounded to half a unit, the interpolation down by less than one.
constexpr double kTableUnits = 1.5;
const double kWordUnit = std::ldexp(1.0, -29);

/// The relative error, before the last rounding, of the functions that scale a
/// mantissa.
double relativeError(dend::Function function, dend::FxType in,
                     dend::FxType out) {
  double step = std::ldexp(1.0, -int(mantissaBits(out.getWidth())));
  double table = kTableUnits * kWordUnit;
  // The lowest 32-bit input is taken as the one above; a mantissa of 32 bits
  // may lose one.
  double cut = in.getWidth() == 32 ? kWordUnit : 0;
  switch (function) {
  case dend::Function::Reciprocal:
    return step * step / 4 + table + cut;
  case dend::Function::Rsqrt: // steps of twice the size
    return 4 * step * step * 3 / 32 + table + cut;
  case dend::Function::Sqrt:
    return 4 * step * step / 32 + table + cut;
  default: { // exp: f'' = (ln 2)^2 2^f, and the error of x / ln 2
    double ln2 = std::log(2.0);
    double power = std::ldexp(1.0, -26) + 64 * std::ldexp(1.0, -31);
    return ln2 * ln2 * step * step / 8 + table + ln2 * power;
  }
  }
}

/// The largest magnitude of the function's value over all inputs.
double largest(dend::Function function, dend::FxType in) {
  double unit = std::ldexp(1.0, in.getExponent());
  double top = std::ldexp(unit, int(in.getWidth()) - 1);
  switch (function) {
  case dend::Function::Reciprocal:
    return 1 / unit;
  case dend::Function::Rsqrt:
    return 1 / std::sqrt(unit);
  case dend::Function::Sqrt:
    return std::sqrt(top);
  default:
    return std::exp(top);
  }
}

} // namespace

double recipeBound(dend::Function function, dend::FxType in, dend::FxType out) {
  double unit = std::ldexp(1.0, out.getExponent());
  bool isSoftplus = function == dend::Function::Softplus;
  if (function == dend::Function::Sigmoid || function == dend::Function::Tanh ||
      isSoftplus) {
    CurveShape shape = curveShape(function, out.getExponent());
    double last = double(shape.last);
    double tail = function == dend::Function::Tanh ? 2 * std::exp(-2 * last)
                                                   : std::exp(-last);
    double input = in.getExponent() < -26 ? std::ldexp(1.0, -27) : 0;
    return curvature(function) * std::ldexp(1.0, -2 * int(shape.bits)) + tail +
           kTableUnits * kWordUnit + input + (isSoftplus ? 1 : 0.5) * unit;
  }
  double relative = relativeError(function, in, out);
  double range = std::ldexp(unit, int(out.getWidth()) - 1);
  return relative * (1 + relative) * std::min(largest(function, in), range) +
         0.5 * unit;
}

} // namespace dendrolith
