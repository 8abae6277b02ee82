// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code against the interpreter of programs, to the bit: states, what is
// sent, counts and who came where. DENDROLITH_FUZZ_BODIES (default 300) sets
// how many random programs there are, DENDROLITH_FUZZ_SEED (default 1) which.

#include "runtime/session/native/NativePrograms.h"

#include "runtime/host/Workers.h"
#include "runtime/image/program.pb.h"
#include "runtime/microcode/Disassemble.h"
#include "tests/agreement/FuzzSettings.h"
#include "tests/runtime/session/native/RandomMicrocode.h"

#include <gtest/gtest.h>

#include <map>

namespace dendrolith::test {
namespace {

using micro::Instruction;
using micro::Rounding;
using micro::Space;

TEST(JitCompiler, RandomProgramsGiveTheSameBits) {
  const int most = int(fuzzSetting("DENDROLITH_FUZZ_BODIES", 300));
  const auto first = uint64_t(fuzzSetting("DENDROLITH_FUZZ_SEED", 1));
  std::map<MicroOp, int> ops;
  int guarded = 0;
  for (uint64_t seed = first; seed < first + uint64_t(most); ++seed) {
    std::mt19937_64 random(seed);
    GroupProgram group = randomMicrocode(random);
    const sim::MicroProgram program = group.build();
    NativePrograms compiler; // none that ever grows
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
    NativePrograms compiler;
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

/// How a program that multiplies two parameters by a port may differ from
/// another one in numbers.
struct Numbers {
  int shift = -4;
  int64_t constant = 100;
  uint32_t neurons = 9;
  /// The words of all parameters, of which words 0 to 2 and `word` are read;
  /// the second parameter begins at `second`, which neurons have on their own.
  std::vector<int64_t> params = {3, -2, 5, 7};
  uint32_t word = 3, second = 4;
  bool saturate = true;
};

class SharedCode : public ::testing::Test {
protected:
  std::shared_ptr<const sim::CompiledProgram> codeOf(const Numbers &numbers) {
    GroupProgram group;
    group.neurons = numbers.neurons;
    group.program.set_registers(3);
    auto *port = group.program.add_ports();
    port->set_elements(3);
    port->set_width(20);
    auto *state = group.program.add_states();
    state->set_elements(3);
    state->set_width(24);
    group.group.add_initial();
    auto param = [&](size_t from, size_t to) {
      auto *one = group.program.add_params();
      one->set_elements(uint32_t(to - from));
      one->set_width(9);
      group.group.add_params(
          micro::encodeI64({numbers.params.begin() + long(from),
                            numbers.params.begin() + long(to)}));
    };
    param(0, numbers.second);
    if (numbers.second < numbers.params.size())
      param(numbers.second, numbers.params.size());
    Instruction code;
    code.op = MicroOp::Mul;
    code.n = 3;
    code.width = 24;
    code.saturate = numbers.saturate;
    code.shift = int16_t(numbers.shift);
    code.a = {Space::Port, false, 0};
    code.b = {Space::Param, false, 0};
    code.d = {Space::Register, false, 0};
    Instruction next = code;
    next.a = {Space::Register, false, 0};
    next.b = {Space::Param, true, numbers.word};
    next.c = {};
    next.shift = -7;
    next.d = {Space::State, false, 0};
    Instruction last = next;
    last.op = MicroOp::Add;
    last.shift = 0;
    last.a = {Space::State, false, 0};
    last.b = {Space::Constant, true, 0};
    group.code = {code, next, last};
    group.constants = {numbers.constant};
    const sim::MicroProgram program = group.build();
    auto compiled = compiler.compile(program);
    std::mt19937_64 random(7);
    EXPECT_EQ(compareVisits(program, *compiled, 3, random,
                            [&](uint32_t, uint32_t, unsigned bits) {
                              return edgeNumber(random, bits);
                            }),
              "")
        << "shift " << numbers.shift << ", word " << numbers.word;
    return compiled;
  }

  NativePrograms compiler;
};

TEST_F(SharedCode, OfProgramsThatDifferInNumbersAlone) {
  const auto code = codeOf({});
  EXPECT_EQ(codeOf({-9, 101, 30}), code);
  EXPECT_EQ(codeOf({-9, 101, 2}), code);
  EXPECT_NE(codeOf({-4, 100, 1}), code); // a neuron alone
}

TEST_F(SharedCode, OfShiftsToTheLeft) {
  const auto right = codeOf({});
  const auto left = codeOf({2});
  EXPECT_NE(left, right);
  EXPECT_EQ(codeOf({3}), left);
  EXPECT_NE(codeOf({6}), left); // takes more than 32 bits
  EXPECT_EQ(codeOf({30}), codeOf({6}));
  EXPECT_NE(codeOf({50}), codeOf({6})); // and more than 64
  Numbers wraps;
  wraps.saturate = false;
  wraps.shift = 1;
  const auto wrapped = codeOf(wraps);
  EXPECT_NE(wrapped, left);
  wraps.shift = 31;
  EXPECT_EQ(codeOf(wraps), wrapped);
  wraps.shift = 32; // leaves nothing
  EXPECT_NE(codeOf(wraps), wrapped);
}

TEST_F(SharedCode, OfThreadsThatCompileAtATime) {
  const std::vector<Numbers> kinds = {{}, {2}, {6}, {50}};
  std::vector<std::shared_ptr<const sim::CompiledProgram>> codes(32);
  inParallel(codes.size(), 4,
             [&](size_t i) { codes[i] = codeOf(kinds[i % kinds.size()]); });
  for (size_t i = 0; i < codes.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      EXPECT_EQ(codes[i] == codes[k], i % kinds.size() == k % kinds.size());
}

TEST_F(SharedCode, OfParametersAtOtherPlaces) {
  const auto code = codeOf({});
  Numbers other;
  other.params = {3, -2, 5, 70, 7, 50, 51};
  other.word = 5;
  other.second = 7;
  EXPECT_EQ(codeOf(other), code); // another word of the parameter
  other.second = 3;
  EXPECT_EQ(codeOf(other), code); // of another parameter
  other.second = 6;
  other.word = 2; // part of the first operand
  EXPECT_NE(codeOf(other), code);
}

} // namespace
} // namespace dendrolith::test
