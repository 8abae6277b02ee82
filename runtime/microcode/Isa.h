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
// targets/loader/chip/MicroOps.def lists the instructions and says what each
// computes.
//
// A result takes the words of an operand only element by element (never in
// table, products, sums, maximum and topk), and fits the width of the state
// that it replaces. A region, which is the instructions that a skip can pass
// over, lies within others at most 256 deep.

#ifndef DENDROLITH_RUNTIME_MICROCODE_ISA_H
#define DENDROLITH_RUNTIME_MICROCODE_ISA_H

#include "targets/loader/chip/Microcode.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::micro {

// Images store the numbers of the three enums below, which therefore never
// change.

/// The memory that an operand lies in.
enum class Space : uint8_t {
  Register = 0,
  Port = 1,  // words of all ports in order, as read at the start of the update
  State = 2, // words of all states in order
  Param = 3, // words of all parameters in order; an operand is part of one
  Constant = 4, // words of the program's constants
  None = 5,     // the operand is not used
};

enum class Rounding : uint8_t {
  Floor = 0,
  TowardZero = 1,
  NearestEven = 2,
  NearestUp = 3,
};
enum class Predicate : uint8_t {
  EQ = 0,
  NE = 1,
  LT = 2,
  LE = 3,
  GT = 4,
  GE = 5,
};

struct Operand {
  Space space = Space::None;
  bool scalar = false; // whether one word serves every element
  uint32_t index = 0;  // where the first word is
  bool operator==(const Operand &o) const {
    return space == o.space && scalar == o.scalar && index == o.index;
  }
};

struct Instruction {
  static constexpr size_t kBytes = 48;
  MicroOp op = MicroOp::Move;
  uint8_t width = 64; // bits of the result, 1 to 64
  Rounding rounding = Rounding::Floor;
  bool saturate = false;
  Predicate predicate = Predicate::EQ;
  int16_t shift = 0; // the power of two that scale() multiplies by
  Operand d, a, b, c;
  uint32_t n = 1; // elements of the result
  uint32_t m = 0; // a second extent, or what MicroOps.def says
  int64_t imm = 0;
};

/// Element operations of one execution, by class. Every memory operand (port,
/// state, parameter) adds the words it reads to Load, a result in state memory
/// its words to Store; the knots of a table and the words behind a skip count
/// nothing.
using Work = std::array<uint64_t, kMicroClasses>;
Work workOf(const Instruction &instruction);

/// How many words of operand a, b or c (0, 1, 2) an execution reads; 0 of one
/// that is not used.
uint64_t extentOf(const Instruction &instruction, unsigned operand);

/// How many bits, sign included, the elements of a, b and c can take.
struct OperandBits {
  unsigned a = 64, b = 64, c = 64;
};

/// Bits that every element of the result fits in; at least 2, so that booleans
/// (0 and 1) count as numbers.
unsigned resultBits(const Instruction &instruction, const OperandBits &bits);

/// How many bits a number takes, sign included, at least 2.
unsigned bitsOf(int64_t x);

/// The blob of an image has a row of kBytes bytes for each instruction, numbers
/// in little-endian order. Decoding throws Error when the blob is no whole
/// number of rows or holds an enum value outside its range; the rest is
/// validate()'s work.
std::vector<Instruction> decodeCode(const std::string &bytes);
std::string encodeCode(const std::vector<Instruction> &code);
std::vector<int64_t> decodeI64(const std::string &bytes);
std::string encodeI64(const std::vector<int64_t> &values);

// How many bits the operands of a program's instructions can take.

/// Bits of each word of the memories that a program reads from outside.
struct WordBits {
  std::vector<unsigned> ports, states, params;
};

/// Follows through a program how many bits every word can take; by instruction.
/// What a region writes may not have been written, so there the larger of both
/// holds.
std::vector<OperandBits> operandBits(const std::vector<Instruction> &code,
                                     uint32_t registers, WordBits words,
                                     const std::vector<int64_t> &constants);

} // namespace dendrolith::micro

#endif // DENDROLITH_RUNTIME_MICROCODE_ISA_H
