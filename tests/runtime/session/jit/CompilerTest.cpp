// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code against the interpreter of programs, to the bit: states, what is
// sent, counts and who came where. NEURITE_FUZZ_BODIES (default 300) sets how
// many random programs there are, NEURITE_FUZZ_SEED (default 1) which.

#include "runtime/session/jit/Compiler.h"

#include "runtime/image/program.pb.h"
#include "runtime/microcode/Disassemble.h"
#include "tests/agreement/FuzzSettings.h"
#include "tests/runtime/session/jit/RandomMicrocode.h"

#include <gtest/gtest.h>

#include <map>

namespace neurite::test {
namespace {

using micro::Instruction;
using micro::Rounding;
using micro::Space;

TEST(JitCompiler, RandomProgramsGiveTheSameBits) {
  const int most = int(fuzzSetting("NEURITE_FUZZ_BODIES", 300));
  const auto first = uint64_t(fuzzSetting("NEURITE_FUZZ_SEED", 1));
  std::map<MicroOp, int> ops;
  int guarded = 0;
  for (uint64_t seed = first; seed < first + uint64_t(most); ++seed) {
    std::mt19937_64 random(seed);
    GroupProgram group = randomMicrocode(random);
    const sim::MicroProgram program = group.build();
    sim::jit::Compiler compiler; // none that ever grows
    auto compiled = compiler.compile(program);
    ASSERT_TRUE(compiled);
    const std::string wrong = compareVisits(
        program, *compiled, 4, random, [&](uint32_t, uint32_t, unsigned bits) {
          return edgeNumber(random, bits);
        });
    ASSERT_EQ(wrong, "") << "seed " << seed << ", " << group.neurons
                         << " neurons\n"
                         << micro::disassemble(group.program, "program");
    for (const Instruction &code : group.code)
      ++ops[code.op];
    guarded += program.parts() > 1;
  }
  if (most < 300)
    return;
  for (size_t op = 0; op < kMicroOps; ++op)
    EXPECT_GT(ops[MicroOp(op)], 0) << toString(MicroOp(op));
  EXPECT_GT(guarded, 20);
}

/// Instructions that each write a state word of their own, from three ports of
/// `bits` bits.
class Variants {
public:
  explicit Variants(unsigned bits) : bits(bits) {}

  void add(Instruction code) {
    const Space port = Space::Port;
    code.a = {port, false, 0};
    if (operandsOf(code.op) > 1)
      code.b = {port, false, 1};
    if (operandsOf(code.op) > 2)
      code.c = {port, false, 2};
    code.d = {Space::State, false, uint32_t(all.size())};
    all.push_back(code);
    if (all.size() == 60)
      run();
  }

  /// Every pair of edge values, beside any third one.
  void run() {
    const int64_t high =
        bits == 64 ? INT64_MAX : (int64_t(1) << (bits - 1)) - 1;
    const int64_t third = high / 3;
    const std::vector<int64_t> edges = {
        -high - 1, -high, -third, -2, -1, 0, 1, 2, third, high - 1, high};
    const auto count = uint32_t(edges.size());
    GroupProgram group;
    group.neurons = count * count;
    group.code = std::move(all);
    all.clear();
    group.program.set_registers(1);
    for (int p = 0; p < 3; ++p) {
      auto *port = group.program.add_ports();
      port->set_elements(1);
      port->set_width(bits);
    }
    for (size_t s = 0; s < group.code.size(); ++s) {
      auto *state = group.program.add_states();
      state->set_elements(1);
      state->set_width(64);
      group.group.add_initial();
    }
    const sim::MicroProgram program = group.build();
    sim::jit::Compiler compiler;
    auto compiled = compiler.compile(program);
    ASSERT_TRUE(compiled);
    std::mt19937_64 random(1);
    EXPECT_EQ(compareVisits(program, *compiled, 2, random,
                            [&](uint32_t word, uint32_t n, unsigned) {
                              return edges[word == 0   ? n / count
                                           : word == 1 ? n % count
                                                       : random() % count];
                            }),
              "")
        << bits << " bits\n"
        << micro::disassemble(group.program, "program");
  }

private:
  const unsigned bits;
  std::vector<Instruction> all;
};

TEST(JitCompiler, EveryOperationOnEdgeValues) {
  for (unsigned bits : {2, 9, 24, 31, 32, 33, 62, 63, 64}) {
    Variants variants(bits);
    for (size_t op = 0; op < kMicroOps; ++op) {
      Instruction code;
      code.op = MicroOp(op);
      if (!hasResult(code.op) || code.op == MicroOp::Table ||
          code.op == MicroOp::Ladder)
        continue; // random programs have them, with operands that fit
      const bool scales = code.op == MicroOp::Mul ||
                          code.op == MicroOp::Scale || code.op == MicroOp::Dot;
      const bool rounds = scales || code.op == MicroOp::Shift;
      const bool saturates =
          code.op == MicroOp::Add || code.op == MicroOp::Sub || scales;
      if (shapeOf(code.op) != MicroShape::Elements)
        code.m = 1;
      for (int width : {2, 24, 33, 64})
        for (int saturate = 0; saturate <= int(saturates); ++saturate)
          for (int rounding = 0; rounding < (rounds ? 4 : 1); ++rounding)
            for (int shift : {-130, -64, -33, -31, -5, -1, 0, 3, 31, 64}) {
              if (!scales && shift != 0)
                continue;
              code.width = uint8_t(width);
              code.saturate = saturate;
              code.rounding = Rounding(rounding);
              code.shift = int16_t(shift);
              if (code.op != MicroOp::Compare) {
                variants.add(code);
                continue;
              }
              for (int predicate = 0; predicate < 6; ++predicate) {
                code.predicate = micro::Predicate(predicate);
                variants.add(code);
              }
            }
    }
    variants.run();
  }
}

TEST(JitCompiler, ProgramsThatDifferInNumbersAloneShareCode) {
  sim::jit::Compiler compiler;
  auto codeOf = [&](int shift, int64_t constant, uint32_t neurons) {
    GroupProgram group;
    group.neurons = neurons;
    group.program.set_registers(1);
    auto *port = group.program.add_ports();
    port->set_elements(1);
    port->set_width(24);
    auto *state = group.program.add_states();
    state->set_elements(1);
    state->set_width(24);
    group.group.add_initial();
    Instruction code;
    code.op = MicroOp::Mul;
    code.width = 24;
    code.saturate = true;
    code.shift = int16_t(shift);
    code.a = {Space::Port, false, 0};
    code.b = {Space::Constant, false, 0};
    code.d = {Space::State, false, 0};
    group.code = {code};
    group.constants = {constant};
    const sim::MicroProgram program = group.build();
    auto compiled = compiler.compile(program);
    std::mt19937_64 random(7);
    EXPECT_EQ(compareVisits(program, *compiled, 3, random,
                            [&](uint32_t, uint32_t, unsigned bits) {
                              return edgeNumber(random, bits);
                            }),
              "");
    return compiled;
  };
  auto code = codeOf(-4, 100, 9);
  EXPECT_EQ(codeOf(-9, 101, 30), code);
  EXPECT_NE(codeOf(2, 100, 9), code);  // to the left
  EXPECT_NE(codeOf(-4, 100, 1), code); // a neuron alone
}

} // namespace
} // namespace neurite::test
