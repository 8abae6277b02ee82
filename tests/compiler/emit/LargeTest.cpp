// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/emit/EmitProgram.cpp, compiler/lowering/PlaceSynapses.cpp.
// A million synapses through the whole compiler: text, quantise, schedule, map,
// emit. Weights stay in blobs: the number of ops does not grow with them.

#include "compiler/emit/EmitProgram.h"
#include "compiler/lowering/Passes.h"
#include "compiler/transforms/Passes.h"

#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"
#include "tests/compiler/emit/DenseNetwork.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

namespace dendrolith::test {
namespace {

constexpr uint32_t kSize = 1000; // inputs, and neurons

class Stopwatch {
public:
  void lap(const char *what) {
    auto now = std::chrono::steady_clock::now();
    std::printf("  %-9s %6.3f s\n", what,
                std::chrono::duration<double>(now - last).count());
    last = std::chrono::steady_clock::now();
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

size_t countOps(mlir::ModuleOp module) {
  size_t count = 0;
  module.walk([&](mlir::Operation *) { ++count; });
  return count;
}

TEST(Large, AMillionSynapses) {
  std::string text = denseNetwork(kSize, kSize);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<dend::DendDialect, chip::ChipDialect>();
  std::printf("%u x %u synapses\n", kSize, kSize);
  Stopwatch watch;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  watch.lap("parse");

  auto run = [&](const char *what, auto add) {
    mlir::PassManager passes(&context);
    add(passes);
    bool ok = mlir::succeeded(passes.run(*module));
    watch.lap(what);
    return ok;
  };
  ASSERT_TRUE(run("quantise", [](mlir::PassManager &passes) {
    passes.addNestedPass<dend::NetworkOp>(createDendQuantise({}));
  }));
  ASSERT_TRUE(run("schedule", [](mlir::PassManager &passes) {
    passes.addNestedPass<dend::NetworkOp>(createDendSchedule({}));
  }));
  ASSERT_TRUE(run("map", [](mlir::PassManager &passes) {
    passes.addPass(createDendToChip({}));
  }));
  // Module, image, population, input, output, core, group and two tables.
  EXPECT_EQ(countOps(*module), 9u);

  auto images = module->getOps<chip::ProgramImageOp>();
  auto program = emitProgram(*images.begin(), Target::load("ideal"));
  ASSERT_TRUE(mlir::succeeded(program));
  watch.lap("emit");
  std::string bytes = serialize(*program);
  watch.lap("serialise");

  const image::Core &core = program->cores(0);
  EXPECT_EQ(decodeLists(core.synapses().lists()).size(), kSize);
  EXPECT_EQ(decodeInAxons(core.in_axons()).size(), kSize);
  auto weights = decodeI16(core.synapses().weights());
  ASSERT_EQ(weights.size(), size_t(kSize) * kSize);
  EXPECT_TRUE(program->quantisation(1).lossless());
  // The list of source s holds the column of s.
  size_t wrong = 0;
  for (uint32_t s = 0; s < kSize; ++s)
    for (uint32_t n = 0; n < kSize; ++n)
      wrong += weights[size_t(s) * kSize + n] != denseMantissa(n * kSize + s);
  EXPECT_EQ(wrong, 0u);
  // 8 bits each in words of 64, and 10 bits of head per 64 of them.
  for (const image::FitRow &row : program->fit())
    if (row.resource() == "synapse memory") {
      EXPECT_GE(row.used(), uint64_t(kSize) * kSize / 8);
      EXPECT_LE(row.used(), uint64_t(kSize) * (kSize / 8 + kSize / 64 * 2 + 2));
    }
  std::printf("  image %zu bytes\n", bytes.size());
  EXPECT_LT(bytes.size(), 3u * kSize * kSize);
}

} // namespace
} // namespace dendrolith::test
