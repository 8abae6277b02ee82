// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs of valid instructions, of every operation, with the data of a
// group, and what a visit of either way leaves.

#ifndef DENDROLITH_TESTS_RUNTIME_SESSION_NATIVE_RANDOMMICROCODE_H
#define DENDROLITH_TESTS_RUNTIME_SESSION_NATIVE_RANDOMMICROCODE_H

#include "runtime/image/program.pb.h"
#include "runtime/microcode/Isa.h"
#include "simulator/functional/neuron/Compiled.h"

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace dendrolith::test {

/// A number of `bits` bits with the ends of its range among the likely ones.
int64_t edgeNumber(std::mt19937_64 &random, unsigned bits);

/// A program and a group that runs it.
struct GroupProgram {
  image::Microprogram program;
  image::Microcode group;
  std::vector<micro::Instruction> code;
  std::vector<int64_t> constants;
  uint32_t neurons = 1;

  sim::MicroProgram build();
};

GroupProgram randomMicrocode(std::mt19937_64 &random);

/// The input of a neuron's port word of so many bits.
using InputValue =
    std::function<int64_t(uint32_t word, uint32_t neuron, unsigned bits)>;

/// Visits the group `ticks` times, both by the interpreter of programs and by
/// machine code, and says where they first differ ("" if nowhere). Some neurons
/// that may rest do.
std::string compareVisits(const sim::MicroProgram &program,
                          const sim::CompiledProgram &compiled, int ticks,
                          std::mt19937_64 &random, const InputValue &input);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_RUNTIME_SESSION_NATIVE_RANDOMMICROCODE_H
