// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two versions of each kernel against each other, over random instructions.
// What a kernel computes, MicrocodeTest and tests/agreement compare with the
// reference interpreter.

#include "simulator/functional/neuron/MicroKernels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dendrolith::sim {
namespace {

using micro::Instruction;
using micro::Predicate;
using micro::Rounding;

constexpr uint32_t kNeurons = 37, kRows = 12;
using Words = std::vector<int64_t>;

struct RandomIntegers {
  std::mt19937_64 engine{1};
  int64_t in(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
};

Instruction randomInstruction(MicroOp op, RandomIntegers &random) {
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
  RandomIntegers random;
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
      for (Isa isa : {Isa::Avx2, Isa::Avx512})
        if (isa <= bestIsa()) {
          EXPECT_EQ(runOn(kernel.any, code, operands, shared),
                    runOn(kernel.of(isa), code, operands, shared))
              << "op " << op << ", round " << round << ", isa " << int(isa);
        }
    }
}

/// What a kernel writes for one neuron, whose elements lie `element` apart.
Words runAlone(Kernel kernel, const Instruction &code, const Words (&from)[3],
               size_t element, unsigned scalars) {
  Words operands[3], result(kRows * kNeurons * element, 77);
  for (unsigned i = 0; i < 3; ++i) {
    operands[i].resize(from[i].size() * element);
    for (size_t e = 0; e < from[i].size(); ++e)
      operands[i][e * element] = from[i][e];
  }
  auto lanes = [&](unsigned i) {
    return Lanes{operands[i].data(), scalars >> i & 1 ? 0 : element, 1};
  };
  KernelArguments arguments{&code,    1,        {result.data(), element, 1},
                            lanes(0), lanes(1), lanes(2)};
  kernel(arguments);
  Words packed;
  for (size_t e = 0; e < result.size(); e += element)
    packed.push_back(result[e]);
  return packed;
}

// A wide neuron stands alone, and kernels go over its elements instead of over
// neurons. Elements that lie apart take the other way.
TEST(MicroKernels, ElementsOfOneNeuronGiveWhatNeuronsGive) {
  RandomIntegers random;
  for (size_t op = 0; op < kMicroOps; ++op)
    for (int round = 0; round < 200; ++round) {
      Instruction code = randomInstruction(MicroOp(op), random);
      if (MicroOp(op) == MicroOp::Skip || MicroOp(op) == MicroOp::Emit)
        continue;
      // Wide enough for vectors and what is left of them.
      const auto width = uint32_t(random.in(1, 19));
      if (code.op == MicroOp::MatVec || code.op == MicroOp::VecMat)
        code.n = uint32_t(random.in(1, 19)), code.m = width;
      else if (code.op == MicroOp::Outer)
        code.m = width, code.n = width * uint32_t(random.in(1, 19));
      else if (code.op == MicroOp::Dot || code.op == MicroOp::Sum ||
               code.op == MicroOp::Maximum)
        code.m = width;
      else
        code.n = std::max<uint32_t>(width, code.op == MicroOp::TopK ? 2 : 1);
      const unsigned bits = unsigned(random.in(2, 40));
      const auto most = int64_t((uint64_t(1) << (bits - 1)) - 1);
      Words operands[3];
      for (Words &words : operands)
        for (uint32_t i = 0; i < kRows * kNeurons; ++i)
          // Ends of the range, ties of rounding and zeros are frequent.
          words.push_back(
              random.in(0, 3) == 0   ? (random.in(0, 1) ? most : -most - 1)
              : random.in(0, 3) == 0 ? random.in(-most - 1, most) / 8 * 8
                                     : random.in(-most - 1, most));
      const KernelVersions kernel = chooseKernel(code, {bits, bits, bits});
      const auto scalars = unsigned(random.in(0, 3) ? 0 : random.in(0, 7));
      const Words apart = runAlone(kernel.any, code, operands, 2, scalars);
      EXPECT_EQ(apart, runAlone(kernel.any, code, operands, 1, scalars))
          << "op " << op << ", round " << round;
      for (Isa isa : {Isa::Avx2, Isa::Avx512})
        if (isa <= bestIsa()) {
          EXPECT_EQ(apart, runAlone(kernel.of(isa), code, operands, 1, scalars))
              << "op " << op << ", round " << round << ", isa " << int(isa);
        }
    }
}

// The rounding that kernels use, which takes no comparison, is that of 128
// bits.
TEST(MicroKernels, RoundsHalfToEven) {
  RandomIntegers random;
  Instruction code;
  code.op = MicroOp::Scale;
  code.rounding = Rounding::NearestEven;
  code.width = 64;
  code.n = kRows * kNeurons;
  for (int shift = 1; shift <= 62; ++shift) {
    code.shift = int16_t(-shift);
    Words operands[3];
    const int64_t half = int64_t(1) << (shift - 1);
    for (uint32_t i = 0; i < code.n; ++i)
      operands[0].push_back(
          i % 2 ? random.in(-(int64_t(1) << 61), (int64_t(1) << 61) - 1)
                : int64_t(uint64_t(random.in(-4, 3)) * 2 * uint64_t(half) +
                          uint64_t(half)) %
                      (int64_t(1) << 61));
    operands[1] = operands[2] = operands[0];
    const Words found = runAlone(chooseKernel(code, {62, 62, 62}).of(bestIsa()),
                                 code, operands, 1, 0);
    for (uint32_t i = 0; i < code.n; ++i) {
      const __int128 x = operands[0][i], two = __int128(2) * half;
      __int128 down = x >= 0 ? x / two : -((-x + two - 1) / two);
      const __int128 rest = x - down * two;
      down += rest > half || (rest == half && down % 2 != 0);
      ASSERT_EQ(found[i], int64_t(down)) << operands[0][i] << " >> " << shift;
    }
  }
}

} // namespace
} // namespace dendrolith::sim
