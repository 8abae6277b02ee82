// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer arithmetic of the instruction set, for one element. It is written
// a second time on purpose (the first is dialects/dend/FixedPoint.h): the
// reference interpreter and the engines check each other. Nothing here
// overflows: sums that wrap are unsigned, exact ones have 128 bits.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROARITHMETIC_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROARITHMETIC_H

#include "runtime/microcode/Isa.h"

#include <cstdint>

namespace dendrolith::sim {
namespace {

__extension__ using Wide = __int128;
__extension__ using UWide = unsigned __int128;

inline uint64_t bitsOf(int64_t x) { return static_cast<uint64_t>(x); }

/// The exact value that mul and scale start from.
template <bool Mul> uint64_t product(int64_t x, int64_t y) {
  return Mul ? bitsOf(x) * bitsOf(y) : bitsOf(x);
}

/// Wraps into `bits` bits of two's complement: the result is congruent modulo
/// 2^bits.
struct Wrap {
  uint64_t half, mask;
  explicit Wrap(unsigned bits)
      : half(uint64_t(1) << (bits - 1)),
        mask(bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1) {}
  int64_t operator()(uint64_t x) const {
    return static_cast<int64_t>(((x + half) & mask) - half);
  }
};

/// Saturates to the range of `bits` bits.
struct Limits64 {
  int64_t low, high;
  explicit Limits64(unsigned bits)
      : low(bits == 64 ? INT64_MIN : -(int64_t(1) << (bits - 1))),
        high(bits == 64 ? INT64_MAX : (int64_t(1) << (bits - 1)) - 1) {}
  int64_t operator()(int64_t x) const {
    return x < low ? low : x > high ? high : x;
  }
};

/// Computes x / 2^bits, 1 <= bits <= 62, for |x| < 2^62. No negative number is
/// shifted, so that vectors without an arithmetic shift do it, too.
template <micro::Rounding R> struct ShiftRight {
  unsigned bits;
  uint64_t rest, half;
  static constexpr uint64_t kBias = uint64_t(1) << 62;
  explicit ShiftRight(unsigned bits)
      : bits(bits), rest((uint64_t(1) << bits) - 1),
        half(uint64_t(1) << (bits - 1)) {}
  uint64_t floor(uint64_t x) const {
    return ((x + kBias) >> bits) - (kBias >> bits);
  }
  int64_t operator()(int64_t value) const {
    uint64_t x = static_cast<uint64_t>(value);
    if (R == micro::Rounding::TowardZero)
      return static_cast<int64_t>(floor(x + (value < 0 ? rest : 0)));
    if (R == micro::Rounding::NearestUp)
      return static_cast<int64_t>(floor(x + half));
    // Half less one, and one more where the whole part is odd: a tie goes to
    // the even neighbour, and no comparison keeps a compiler from vector code.
    if (R == micro::Rounding::NearestEven)
      x += half - 1 + (x >> bits & 1);
    return static_cast<int64_t>(floor(x));
  }
};

/// Computes x / 2^bits in 128 bits, whatever x and bits are.
inline Wide shiftWide(Wide x, unsigned bits, micro::Rounding rounding) {
  using micro::Rounding;
  if (bits == 0)
    return x;
  if (bits > 126) { // |x| <= 2^126: the quotient lies within [-1/2, 1/2]
    bool half = bits == 127 && x == Wide(1) << 126;
    return rounding == Rounding::Floor && x < 0      ? -1
           : rounding == Rounding::NearestUp && half ? 1
                                                     : 0;
  }
  UWide rest = UWide(x) & ((UWide(1) << bits) - 1);
  UWide half = UWide(1) << (bits - 1);
  Wide down = (x - Wide(rest)) / (Wide(1) << bits);
  switch (rounding) {
  case Rounding::TowardZero:
    return x < 0 && rest != 0 ? down + 1 : down;
  case Rounding::NearestUp:
    return rest >= half ? down + 1 : down;
  case Rounding::NearestEven:
    return rest > half || (rest == half && (down & 1) != 0) ? down + 1 : down;
  default:
    return down;
  }
}

/// Computes narrow(x * 2^shift) of an instruction exactly; |x| <= 2^126.
inline int64_t scaleWide(Wide x, const micro::Instruction &code) {
  Limits64 limits(code.width);
  if (code.shift <= 0)
    x = shiftWide(x, static_cast<unsigned>(-int(code.shift)), code.rounding);
  else if (!code.saturate)
    x = code.shift >= 64 ? 0 : Wide(UWide(x) << code.shift);
  else if (x != 0 && (code.shift >= 64 || x > INT64_MAX || x < Wide(INT64_MIN)))
    x = x < 0 ? Wide(INT64_MIN) : Wide(INT64_MAX);
  else if (x != 0) // the shift has no bound where x is 0
    x *= Wide(1) << code.shift;
  if (!code.saturate)
    return Wrap(code.width)(static_cast<uint64_t>(x));
  return x < limits.low    ? limits.low
         : x > limits.high ? limits.high
                           : static_cast<int64_t>(x);
}

/// The `shift` instruction: x is shifted by a computed amount.
inline int64_t shiftBy(int64_t x, int64_t amount,
                       const micro::Instruction &code) {
  if (amount >= 0)
    return amount >= 64 ? 0
                        : Wrap(code.width)(static_cast<uint64_t>(x) << amount);
  uint64_t bits = uint64_t(0) - static_cast<uint64_t>(amount);
  return static_cast<int64_t>(shiftWide(
      x, bits > 127 ? 127 : static_cast<unsigned>(bits), code.rounding));
}

inline int64_t leadingZeros(int64_t x, unsigned width) {
  uint64_t magnitude =
      x < 0 ? uint64_t(0) - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  int used = magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude);
  return int64_t(width) - used;
}

/// The `table` instruction: `knot(k)` gives the k-th of code.m knots.
template <typename Knot>
int64_t interpolate(int64_t x, const micro::Instruction &code, Knot knot) {
  if (x <= code.imm)
    return knot(0);
  UWide offset = UWide(Wide(x) - code.imm);
  UWide k = offset >> code.shift;
  if (k >= code.m - 1)
    return knot(code.m - 1);
  Wide part = Wide(offset - (k << code.shift));
  int64_t from = knot(static_cast<uint32_t>(k));
  Wide rise = Wide(knot(static_cast<uint32_t>(k) + 1)) - from;
  return static_cast<int64_t>(
      from + shiftWide(rise * part, static_cast<unsigned>(code.shift),
                       micro::Rounding::Floor));
}

/// The `ladder` instruction. An image is valid only if this stays within 127
/// bits.
inline int64_t climb(int64_t v, int64_t base, int64_t step,
                     const micro::Instruction &code) {
  unsigned p = code.shift < 0 ? static_cast<unsigned>(-int(code.shift)) : 0;
  unsigned q = code.shift > 0 ? static_cast<unsigned>(code.shift) : 0;
  UWide height = UWide(Wide(v)) << p, rung = UWide(Wide(base)) << p;
  UWide each = UWide(Wide(step) * code.imm) << q;
  int64_t reached = 0;
  rung -= each * (UWide(code.m) - 1);
  for (uint64_t k = 0; k < 2 * uint64_t(code.m); ++k, rung += each)
    reached += Wide(height) >= Wide(rung);
  return reached - int64_t(code.m);
}

} // namespace
} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROARITHMETIC_H
