// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two versions of each kernel against each other, over random instructions.
// What a kernel computes, MicrocodeTest and tests/agreement compare with the
// reference interpreter.

#include "simulator/functional/neuron/MicroKernels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace neurite::sim {
namespace {

using micro::Instruction;
using micro::Predicate;
using micro::Rounding;

constexpr uint32_t kNeurons = 37, kRows = 12;
using Words = std::vector<int64_t>;

struct Random {
  std::mt19937_64 engine{1};
  int64_t in(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
};

Instruction randomInstruction(MicroOp op, Random &random) {
  Instruction code;
  code.op = op;
  code.width = uint8_t(random.in(2, 64));
  code.rounding = Rounding(random.in(0, 3));
  code.predicate = Predicate(random.in(0, 5));
  code.saturate = random.in(0, 1);
  code.shift = int16_t(random.in(-70, 10));
  code.n = 3;
  switch (op) {
  case MicroOp::Dot:
    code.n = 1;
    code.m = uint32_t(random.in(1, 6));
    break;
  case MicroOp::MatVec:
  case MicroOp::VecMat:
  case MicroOp::Outer:
    code.n = op == MicroOp::Outer ? 6 : 2;
    code.m = op == MicroOp::Outer ? 3 : 5;
    break;
  case MicroOp::Table:
    code.shift = int16_t(random.in(0, 20));
    [[fallthrough]];
  case MicroOp::Ladder:
    code.m = 5;
    code.imm = random.in(-1000, 1000);
    break;
  case MicroOp::TopK:
    code.m = 2;
    break;
  case MicroOp::Sum:
  case MicroOp::Maximum:
    code.n = 1;
    code.m = 5;
    break;
  default:
    break;
  }
  return code;
}

/// What a kernel writes, given operands of which some are shared.
Words runOn(Kernel kernel, const Instruction &code, const Words (&from)[3],
            unsigned shared) {
  Words operands[3] = {from[0], from[1], from[2]};
  Words result(kRows * kNeurons, 77);
  auto lanes = [&](unsigned i) {
    return Lanes{operands[i].data(), kNeurons, (shared >> i & 1) ? 0u : 1u};
  };
  KernelArguments arguments;
  arguments.code = &code;
  arguments.neurons = kNeurons;
  arguments.d = {result.data(), kNeurons, 1};
  arguments.a = lanes(0);
  arguments.b = lanes(1);
  arguments.c = lanes(2);
  kernel(arguments);
  return result;
}

TEST(MicroKernels, VersionsGiveTheSameIntegers) {
  Random random;
  for (size_t op = 0; op < kMicroOps; ++op)
    for (int round = 0; round < 60; ++round) {
      const Instruction code = randomInstruction(MicroOp(op), random);
      const unsigned bits = unsigned(random.in(2, 40));
      const auto most = int64_t((uint64_t(1) << (bits - 1)) - 1);
      Words operands[3];
      for (Words &words : operands)
        for (uint32_t i = 0; i < kRows * kNeurons; ++i)
          words.push_back(random.in(-most - 1, most));
      const KernelVersions kernel = chooseKernel(code, {bits, bits, bits});
      if (MicroOp(op) == MicroOp::Skip || MicroOp(op) == MicroOp::Emit) {
        EXPECT_EQ(kernel.any, nullptr);
        continue;
      }
      const auto shared = unsigned(random.in(0, 7));
      EXPECT_EQ(runOn(kernel.any, code, operands, shared),
                runOn(kernel.of(bestIsa()), code, operands, shared))
          << "op " << op << ", round " << round;
    }
}

} // namespace
} // namespace neurite::sim
