// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The knots of the recipes' tables. They are computed in integers only, so that
// every machine gets the same bytes.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_RECIPETABLES_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_RECIPETABLES_H

#include "dialects/dend/Dend.h"

#include <vector>

namespace dendrolith {

/// Tables of a mantissa have 2^bits intervals for a result of `width` bits, so
/// that the interpolation errs by less than the result's last bit up to 16
/// bits.
unsigned mantissaBits(unsigned width);

/// 2^30 / u at u = 1 + i 2^-bits, 2^bits + 1 knots.
std::vector<int64_t> reciprocalKnots(unsigned bits);
/// 2^30 / sqrt(u) at u = 1 + i 2^(1-bits) up to 4, 3 * 2^(bits-1) + 1 knots.
std::vector<int64_t> rsqrtKnots(unsigned bits);
/// 2^29 sqrt(u) at the same u.
std::vector<int64_t> sqrtKnots(unsigned bits);
/// 2^29 2^(i 2^-bits), 2^bits + 1 knots.
std::vector<int64_t> exp2Knots(unsigned bits);

/// Tables of |x| itself: knots at i 2^-bits from 0 to `last`.
struct CurveShape {
  unsigned bits;
  int64_t last;
};
/// Shape for a result in units of 2^exponent: steps and end such that neither
/// the interpolation nor the cut-off errs by more than a quarter of a unit,
/// within limits on the table's size.
CurveShape curveShape(dend::Function function, int exponent);
/// Largest |f''| / 8 of the curve: interpolation errs by it times step^2.
double curvature(dend::Function function);
/// 2^29 f(i 2^-bits) for f = sigmoid, tanh, or log(1 + e^-x) for softplus.
std::vector<int64_t> curveKnots(dend::Function function, CurveShape shape);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_RECIPETABLES_H
