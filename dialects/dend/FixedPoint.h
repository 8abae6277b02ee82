// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place with the integer semantics of fixed-point values: the folders,
// the interval rules, the reference interpreter and the tests all call these
// functions.
#ifndef DENDROLITH_DIALECTS_DEND_FIXEDPOINT_H
#define DENDROLITH_DIALECTS_DEND_FIXEDPOINT_H

#include "dialects/dend/DendEnums.h"

#include <cstdint>

namespace dendrolith::dend {

// These are wide enough for a product of two 64-bit integers.
__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// The smallest and the largest integer of a signed type of `width` bits, of
/// which there are 1 to 64.
inline int64_t lowest(unsigned width) {
  return width >= 64 ? INT64_MIN : -(int64_t(1) << (width - 1));
}
inline int64_t highest(unsigned width) {
  return width >= 64 ? INT64_MAX : (int64_t(1) << (width - 1)) - 1;
}

/// The integer in the signed `width`-bit range congruent to x modulo 2^width.
inline int64_t wrapTo(Int128 x, unsigned width) {
  UInt128 range = UInt128(1) << width;
  UInt128 low = UInt128(x) & (range - 1);
  if (low & (range >> 1))
    return int64_t(Int128(low) - Int128(range));
  return int64_t(low);
}

/// The integer of the signed `width`-bit range nearest to x.
inline int64_t saturateTo(Int128 x, unsigned width) {
  if (x < lowest(width))
    return lowest(width);
  if (x > highest(width))
    return highest(width);
  return int64_t(x);
}

/// Brings x into the signed `width`-bit range as `overflow` says.
inline int64_t narrowTo(Int128 x, unsigned width, Overflow overflow) {
  return overflow == Overflow::Saturate ? saturateTo(x, width)
                                        : wrapTo(x, width);
}

/// Rounds x / 2^bits to an integer, for any bits >= 0.
/// `nearest_up` sends ties towards plus infinity, `nearest_even` to even.
inline Int128 shiftRound(Int128 x, unsigned bits, Rounding rounding) {
  if (bits == 0)
    return x;
  // |x| <= 2^127, so beyond 127 bits the quotient lies in [-1/2, 1/2): only
  // its sign and the tie -1/2 (which both nearest modes send to 0) matter.
  if (bits > 127)
    return rounding == Rounding::Floor && x < 0 ? -1 : 0;
  UInt128 mask = (UInt128(1) << bits) - 1;
  UInt128 rest = UInt128(x) & mask;
  // This floor division does not rely on the shift of a negative number.
  Int128 floor =
      x >= 0 ? Int128(UInt128(x) >> bits) : -1 - Int128(~UInt128(x) >> bits);
  UInt128 half = UInt128(1) << (bits - 1);
  switch (rounding) {
  case Rounding::Floor:
    return floor;
  case Rounding::TowardZero:
    return x < 0 && rest != 0 ? floor + 1 : floor;
  case Rounding::NearestEven:
    if (rest != half)
      return rest > half ? floor + 1 : floor;
    return (floor & 1) ? floor + 1 : floor;
  case Rounding::NearestUp:
    return rest >= half ? floor + 1 : floor;
  }
  return floor;
}

/// Computes `dend.rescale`: the integer x, worth 2^e each, becomes an integer
/// worth 2^eOut each. x * 2^(e - eOut) is rounded, then brought into `wOut`
/// bits. The width w of x does not enter: x may be any exact intermediate
/// value.
inline int64_t rescale(Int128 x, [[maybe_unused]] unsigned w, int e,
                       unsigned wOut, int eOut, Rounding rounding,
                       Overflow overflow) {
  int shift = e - eOut;
  if (shift <= 0)
    return narrowTo(shiftRound(x, unsigned(-shift), rounding), wOut, overflow);
  if (x == 0)
    return 0;
  if (overflow == Overflow::Wrap)
    return shift >= 64 ? 0 : wrapTo(Int128(UInt128(x) << shift), wOut);
  // Beyond 64 bits every non-zero value saturates; below, the value is clipped
  // first so that the shift cannot leave 128 bits.
  if (shift >= 64 || x > INT64_MAX || x < INT64_MIN)
    return x < 0 ? lowest(wOut) : highest(wOut);
  return saturateTo(Int128(x) * (Int128(1) << shift), wOut);
}

/// These compute `dend.add` and `dend.sub` of two integers of one type.
inline int64_t addFixed(int64_t a, int64_t b, unsigned width, Overflow o) {
  return narrowTo(Int128(a) + b, width, o);
}
inline int64_t subFixed(int64_t a, int64_t b, unsigned width, Overflow o) {
  return narrowTo(Int128(a) - b, width, o);
}

/// These compute `dend.neg` and `dend.abs`, which wrap at the most negative
/// value.
inline int64_t negFixed(int64_t x, unsigned width) {
  return wrapTo(-Int128(x), width);
}
inline int64_t absFixed(int64_t x, unsigned width) {
  return x < 0 ? negFixed(x, width) : x;
}

/// Computes one term of `dot`, `matvec`, `vecmat`, `outer_add`: the exact
/// product (exponent ea + eb), rescaled modulo 2^wOut. Terms are then added
/// with `addFixed(.., Overflow::Wrap)`, so their order does not matter.
inline int64_t productTerm(int64_t a, int ea, int64_t b, int eb, unsigned wOut,
                           int eOut, Rounding rounding) {
  return rescale(Int128(a) * b, 64, ea + eb, wOut, eOut, rounding,
                 Overflow::Wrap);
}

/// Computes `dend.shift`, which is x * 2^amount in `width` bits; a shift to the
/// left wraps, one to the right rounds.
inline int64_t shiftFixed(int64_t x, unsigned width, int64_t amount,
                          Rounding rounding) {
  if (amount >= 0)
    return amount >= 64 ? 0
                        : wrapTo(Int128(UInt128(Int128(x)) << amount), width);
  uint64_t bits = uint64_t(0) - uint64_t(amount);
  return int64_t(shiftRound(x, bits > 128 ? 128 : unsigned(bits), rounding));
}

/// Computes `dend.clz`: the number of leading zero bits of |x| in `width` bits,
/// which is `width` for x = 0.
inline int32_t clzFixed(int64_t x, unsigned width) {
  uint64_t magnitude = x < 0 ? uint64_t(0) - uint64_t(x) : uint64_t(x);
  int32_t used = 0;
  while (used < 64 && (magnitude >> used) != 0)
    ++used;
  return int32_t(width) - used;
}

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_FIXEDPOINT_H
