// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction set of a vector neuron core, as programs in an image use it.
//
// A program updates one neuron; an engine runs it for every neuron of a group.
// Values are vectors of signed 64-bit words that hold integers of a stated
// width (booleans are 0 or 1). An operand names the first word of a vector in
// one of five memories; a scalar operand is one word repeated for every
// element. Nothing traps: every instruction is defined on every input.
//
// With x, y, z the elements of a, b, c, `narrow` bringing an exact integer
// into `width` bits (modulo 2^width, or saturating), and scale(x) =
// x * 2^shift rounded as named:
//
//   move    d[i] = x
//   add     d[i] = narrow(x + y)             sub   d[i] = narrow(x - y)
//   mul     d[i] = narrow(scale(x * y))      scale d[i] = narrow(scale(x))
//   neg     d[i] = wrap(-x)                  abs   d[i] = wrap(|x|)
//   min     d[i] = min(x, y)                 max   d[i] = max(x, y)
//   clamp   d[i] = min(max(x, y), z)
//   cmp     d[i] = x <predicate> y           sel   d[i] = x ? y : z
//   shift   d[i] = y >= 0 ? wrap(x << y) : round(x * 2^y)
//   clz     d[i] = width - bits of |x|       (width: of the operand)
//   table   d[i]: m knots at b, low = imm, step 2^shift: x <= low gives the
//           first knot, beyond the last one the last; between two, linear,
//           rounded down: k0 + floor((k1 - k0) * rest / 2^shift)
//   dot     d = sum over k < m of wrap(scale(a[k] * b[k])), modulo 2^width
//   matvec  d[i] = sum over k < m of wrap(scale(a[i m + k] * b[k])), likewise
//   vecmat  d[i] = sum over k < m of wrap(scale(a[k] * b[k n + i])), likewise
//   outer   d[i] = c[i] + wrap(scale(a[i / m] * b[i % m])), modulo 2^width
//   sum     d = sum over k < m of a[k] modulo 2^width; maximum: the largest
//   topk    d[i] = 1 for the m largest a, ties to the lower index; else 0
//   ladder  d[i] = (number of k in -m+1..m with
//                   x 2^p >= y 2^p + (z imm 2^q) k) - m, exactly;
//           q = max(shift, 0), p = max(-shift, 0); an image is valid only if
//           both sides stay within 126 bits: those of x and y plus p, and those
//           of z, imm and m together plus q
//   skip    unless a is true, the next m instructions do nothing
//   emit    sends the n elements of a, each brought into the range of output m;
//           zero sends nothing; a program sends an output once
//
// A result takes the words of an operand only element by element (never in
// table, products, sums, maximum and topk), and fits the width of the state it
// replaces. Regions lie within each other at most 256 deep.

#ifndef NEURITE_RUNTIME_MICROCODE_ISA_H
#define NEURITE_RUNTIME_MICROCODE_ISA_H

#include "targets/loader/Microcode.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace neurite::micro {

enum class Space : uint8_t {
  Register,
  Port,     // words of all ports in order, as read at the start of the update
  State,    // words of all states in order
  Param,    // words of all parameters in order; an operand is part of one
  Constant, // words of the program's constants
  None,     // operand not used
};

enum class Rounding : uint8_t { Floor, TowardZero, NearestEven, NearestUp };
enum class Predicate : uint8_t { EQ, NE, LT, LE, GT, GE };

struct Operand {
  Space space = Space::None;
  bool scalar = false; // one word for every element
  uint32_t index = 0;  // of the first word
  bool operator==(const Operand &o) const {
    return space == o.space && scalar == o.scalar && index == o.index;
  }
};

struct Instruction {
  static constexpr size_t kBytes = 48;
  MicroOp op = MicroOp::Move;
  uint8_t width = 64; // of the result, 1..64
  Rounding rounding = Rounding::Floor;
  bool saturate = false;
  Predicate predicate = Predicate::EQ;
  int16_t shift = 0; // power of two
  Operand d, a, b, c;
  uint32_t n = 1; // elements of the result
  uint32_t m = 0; // second extent, or what the list above says
  int64_t imm = 0;
};

/// Element operations of one execution, by class. Every memory operand (port,
/// state, parameter) adds the words it reads to Load, a result in state memory
/// its words to Store; the knots of a table and the words behind a skip count
/// nothing.
using Work = std::array<uint64_t, kMicroClasses>;
Work workOf(const Instruction &instruction);

/// Words of operand a, b or c (0, 1, 2) that an execution reads: 0 if unused.
uint64_t extentOf(const Instruction &instruction, unsigned operand);

/// How many bits, sign included, the elements of a, b and c can take.
struct OperandBits {
  unsigned a = 64, b = 64, c = 64;
};

/// Bits that every element of the result fits in; at least 2, so that booleans
/// (0 and 1) count as numbers.
unsigned resultBits(const Instruction &instruction, const OperandBits &bits);

/// Bits of a number, sign included, at least 2.
unsigned bitsOf(int64_t x);

/// The blob of an image: fixed rows, little-endian. Decoding throws Error when
/// it is no whole number of rows or holds an enum value outside its range; the
/// rest is validate()'s work.
std::vector<Instruction> decodeCode(const std::string &bytes);
std::string encodeCode(const std::vector<Instruction> &code);
std::vector<int64_t> decodeI64(const std::string &bytes);
std::string encodeI64(const std::vector<int64_t> &values);

} // namespace neurite::micro

#endif // NEURITE_RUNTIME_MICROCODE_ISA_H
