// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program's instructions become loops, before any code is written.
// Instructions that go through vectors of the same length side by side share
// one loop over elements, in which results pass from one to the next without
// memory. A register that is written several times becomes several, and a
// result that is moved into a state is computed there.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_PLAN_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_PLAN_H

#include "runtime/microcode/Isa.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::native::program {

// A program of a vector neuron core, with what its machine code depends on.

struct Program {
  /// The range that an output's values are clipped to.
  struct Range {
    int64_t low = 0, high = 1;
  };
  /// Where a parameter word is: among those that all neurons share, or a row
  /// among those of each neuron.
  struct ParamWord {
    bool perNeuron = false;
    size_t index = 0;
  };

  std::vector<micro::Instruction> code;
  std::vector<micro::OperandBits> operandBits; // by instruction
  std::vector<Range> outputs;
  std::vector<ParamWord> params;
  uint32_t registers = 0; // words
};

/// Neurons that lie side by side, whose updates are computed together.
constexpr unsigned kLanes = 8;

/// What the code of a program depends on, for so many neurons at a time.
/// Programs that differ in numbers that their code reads when it runs
/// (parameters, constants, how far to shift) have the same.
std::string keyOf(const Program &program, unsigned lanes);

/// An instruction with what the program around it says.
struct Step {
  micro::Instruction code;
  micro::OperandBits bits;
  unsigned resultBits = 64;
  uint32_t number = 0; // in the program
  uint32_t sent = 0;   // of an emit, the first row of its elements
  uint32_t part = 0;   // of a skip, what it guards

  const micro::Operand &operand(unsigned o) const {
    return o == 0 ? code.a : o == 1 ? code.b : code.c;
  }
  micro::Operand &operand(unsigned o) {
    return o == 0 ? code.a : o == 1 ? code.b : code.c;
  }
  unsigned bitsOf(unsigned o) const {
    return o == 0 ? bits.a : o == 1 ? bits.b : bits.c;
  }
  bool hasResult() const { return dendrolith::hasResult(code.op); }
};

/// How an instruction's loop reads an operand: element by element, one word, or
/// any element at any time.
enum class Access { Aligned, Scalar, Random };
Access accessOf(const Step &step, unsigned operand);

/// How many elements the loop of an instruction goes through.
uint32_t extentOf(const Step &step);

/// Vectors of so many elements are written out rather than looped over.
constexpr uint32_t kUnrolled = 3;

/// Steps that share a loop over `extent` elements, or a single one without a
/// loop; a skip has what it guards inside.
struct StepGroup {
  uint32_t extent = 1;
  std::vector<Step> steps;
  std::vector<StepGroup> inside;

  bool isLoop() const { return extent > kUnrolled; }
};

/// Where a register word lies between loops.
struct Word {
  bool inMemory = true;
  bool narrow = false; // in 32 bits
};

struct Plan {
  explicit Plan(const Program &program);

  std::vector<StepGroup> groups;
  std::vector<Word> words; // by register word
  uint32_t marks = 0;      // where a topk makes its marks
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_PLAN_H
