// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FixedPoint.h on integers of 64 bits, without branches: a loop over elements
// with a known rounding becomes vector instructions. Both give equal integers
// (FixedPoint64Test.cpp).

#ifndef DENDROLITH_DIALECTS_DEND_FAST_FIXEDPOINT64_H
#define DENDROLITH_DIALECTS_DEND_FAST_FIXEDPOINT64_H

#include "dialects/dend/FixedPoint.h"

namespace dendrolith::dend {

/// wrapTo() of an integer whose low 64 bits are x.
inline int64_t wrap64(uint64_t x, unsigned width) {
  const uint64_t sign = uint64_t(1) << (width - 1);
  return int64_t(((x & (sign | (sign - 1))) ^ sign) - sign);
}

/// shiftRound() of an integer of 64 bits, for `bits` of 1 to 62.
inline int64_t shiftRound64(int64_t x, unsigned bits, Rounding rounding) {
  static_assert(-1 >> 1 == -1, "right shifts round towards minus infinity");
  const int64_t floor = x >> bits;
  const int64_t rest = x & ((int64_t(1) << bits) - 1);
  const int64_t half = int64_t(1) << (bits - 1);
  switch (rounding) {
  case Rounding::Floor:
    return floor;
  case Rounding::TowardZero:
    return floor + ((x < 0) & (rest != 0));
  case Rounding::NearestEven:
    return floor + (rest + (floor & 1) > half);
  case Rounding::NearestUp:
    return floor + (rest >= half);
  }
  return floor;
}

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_FAST_FIXEDPOINT64_H
