// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/structure/RecipeTables.h"

#include "dialects/dend/FixedPoint.h"

#include <algorithm>
#include <cmath>

namespace dendrolith {
namespace {

using dend::UInt128;

/// Rounds numerator / denominator to the nearest integer, halves up.
UInt128 divideRound(UInt128 numerator, UInt128 denominator) {
  return (2 * numerator + denominator) / (2 * denominator);
}

/// The largest r with r^2 <= x.
UInt128 rootFloor(UInt128 x) {
  UInt128 root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    UInt128 tried = root | (UInt128(1) << bit);
    if (tried * tried <= x)
      root = tried;
  }
  return root;
}

/// Rounds sqrt(numerator / denominator) to the nearest integer.
int64_t rootRound(UInt128 numerator, UInt128 denominator) {
  return int64_t((rootFloor(4 * numerator / denominator) + 1) / 2);
}

// Numbers with guard bits have 62 bits behind the point, and are below 4.
constexpr unsigned kGuard = 62;
constexpr UInt128 kOne = UInt128(1) << kGuard;

UInt128 times(UInt128 a, UInt128 b) { return (a * b + (kOne >> 1)) >> kGuard; }

/// Computes exp(-count / 2^bits), bits >= 1, as a power of exp(-2^-bits), for
/// which it takes the Taylor series. Errs by less than 2^-50 for count <= 2^11.
UInt128 expNegative(uint64_t count, unsigned bits) {
  dend::Int128 sum = dend::Int128(kOne), term = sum;
  for (int k = 1; term > 0; ++k) {
    term = (term >> bits) / k;
    sum += k % 2 ? -term : term;
  }
  UInt128 result = kOne;
  for (UInt128 square = UInt128(sum); count != 0;
       count /= 2, square = times(square, square))
    if (count % 2)
      result = times(result, square);
  return result;
}

/// Computes log(1 + y), 0 <= y <= 1, as 2 artanh(w) with w = y / (2 + y) <=
/// 1/3.
UInt128 logOnePlus(UInt128 y) {
  UInt128 w = (y << kGuard) / (2 * kOne + y), square = times(w, w), sum = 0;
  for (uint64_t k = 1; w != 0; k += 2, w = times(w, square))
    sum += w / k;
  return 2 * sum;
}

} // namespace

unsigned mantissaBits(unsigned width) {
  return std::clamp((width + 1) / 2, 4u, 8u);
}

std::vector<int64_t> reciprocalKnots(unsigned bits) {
  std::vector<int64_t> knots;
  uint64_t one = uint64_t(1) << bits;
  for (uint64_t u = one; u <= 2 * one; ++u)
    knots.push_back(int64_t(divideRound(UInt128(one) << 30, u)));
  return knots;
}

std::vector<int64_t> rsqrtKnots(unsigned bits) {
  std::vector<int64_t> knots;
  uint64_t one = uint64_t(1) << (bits - 1);
  for (uint64_t u = one; u <= 4 * one; ++u)
    knots.push_back(rootRound(UInt128(one) << 60, u));
  return knots;
}

std::vector<int64_t> sqrtKnots(unsigned bits) {
  std::vector<int64_t> knots;
  uint64_t one = uint64_t(1) << (bits - 1);
  for (uint64_t u = one; u <= 4 * one; ++u)
    knots.push_back(rootRound(UInt128(u) << 58, one));
  return knots;
}

std::vector<int64_t> exp2Knots(unsigned bits) {
  std::vector<UInt128> roots; // 2^(1/2), 2^(1/4), ...
  UInt128 root = 2 * kOne;
  for (unsigned j = 0; j < bits; ++j)
    roots.push_back(root = rootFloor(root << kGuard));
  std::vector<int64_t> knots;
  for (uint64_t i = 0; i < (uint64_t(1) << bits); ++i) {
    UInt128 value = kOne;
    for (unsigned j = 0; j < bits; ++j)
      if (i >> (bits - 1 - j) & 1)
        value = times(value, roots[j]);
    knots.push_back(int64_t(divideRound(value, kOne >> 29)));
  }
  knots.push_back(int64_t(1) << 30);
  return knots;
}

double curvature(dend::Function function) {
  if (function == dend::Function::Sigmoid)
    return 0.0121; // |f''| <= 1 / (6 sqrt 3)
  if (function == dend::Function::Tanh)
    return 0.0963; // |f''| <= 4 / (3 sqrt 3)
  return 0.03125;  // f'' = sigmoid (1 - sigmoid) <= 1/4
}

CurveShape curveShape(dend::Function function, int exponent) {
  bool isTanh = function == dend::Function::Tanh;
  double quarter = std::ldexp(1.0, exponent - 2);
  CurveShape shape{2, 2};
  unsigned finest = isTanh ? 6 : 5;
  while (shape.bits < finest &&
         std::ldexp(curvature(function), -2 * int(shape.bits)) > quarter)
    ++shape.bits;
  // 1 - tanh(x) < 2 e^-2x, the other two tails are below e^-x; e^-x < 2^-1.44x.
  int tail = std::clamp(2 - exponent, 0, 24) + (isTanh ? 1 : 0);
  shape.last = std::max(2, (tail * 100 + 143) / 144);
  if (isTanh)
    shape.last = std::max<int64_t>(2, (shape.last + 1) / 2);
  return shape;
}

std::vector<int64_t> curveKnots(dend::Function function, CurveShape shape) {
  std::vector<int64_t> knots;
  for (uint64_t i = 0; i <= uint64_t(shape.last) << shape.bits; ++i) {
    UInt128 value;
    if (function == dend::Function::Sigmoid) {
      value = (kOne << kGuard) / (kOne + expNegative(i, shape.bits));
    } else if (function == dend::Function::Tanh) {
      UInt128 e = expNegative(i, shape.bits - 1);
      value = ((kOne - e) << kGuard) / (kOne + e);
    } else {
      value = logOnePlus(expNegative(i, shape.bits));
    }
    knots.push_back(int64_t(divideRound(value, kOne >> 29)));
  }
  return knots;
}

} // namespace dendrolith
