// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests dialects/dend/LastUse.cpp.
// A network whose constants are read for the last time gives the same image,
// and nothing of them stays.

#include "compiler/emit/EmitProgram.h"
#include "compiler/lowering/Passes.h"
#include "compiler/transforms/Passes.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/LastUse.h"

#include "runtime/image/Program.h"
#include "tests/compiler/emit/DenseNetwork.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

template <typename Add> void run(mlir::ModuleOp module, Add add) {
  mlir::PassManager passes(module.getContext());
  add(passes);
  ASSERT_TRUE(mlir::succeeded(passes.run(module)));
}

/// The image of a small network, and whether constants and tables can still be
/// read behind it.
struct Emitted {
  std::string bytes;
  unsigned constants = 0, tables = 0;
};

Emitted emitted(bool last) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<dend::DendDialect, chip::ChipDialect>();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(denseNetwork(30, 20), &context);
  run(*module, [](mlir::PassManager &passes) {
    passes.addNestedPass<dend::NetworkOp>(createDendQuantise({}));
    passes.addNestedPass<dend::NetworkOp>(createDendSchedule({}));
  });
  auto network = *module->getOps<dend::NetworkOp>().begin();
  std::vector<mlir::ElementsAttr> weights;
  for (auto constant : network.getOps<dend::ConstantOp>())
    if (constant.getValueAttr() &&
        constant.getValueAttr().getNumElements() == 600)
      weights.push_back(constant.getValueAttr());
  EXPECT_FALSE(weights.empty());
  if (last)
    dend::markLastUse(network);
  run(*module,
      [](mlir::PassManager &passes) { passes.addPass(createDendToChip({})); });
  Emitted result;
  for (mlir::ElementsAttr each : weights)
    result.constants += mlir::succeeded(dend::readInts(each));
  auto image = *module->getOps<chip::ProgramImageOp>().begin();
  EXPECT_EQ(dend::isLastUse(image), last);
  auto program = emitProgram(image, Target::load("ideal"));
  EXPECT_TRUE(mlir::succeeded(program));
  result.bytes = serialize(*program);
  image->walk([&](chip::SynapsesOp synapses) {
    result.tables += mlir::succeeded(dend::readInts(synapses.getWeights()));
  });
  return result;
}

TEST(LastUse, NothingStaysAndTheImageIsTheSame) {
  const Emitted kept = emitted(false), left = emitted(true);
  EXPECT_EQ(kept.bytes, left.bytes);
  EXPECT_GT(kept.constants, 0u);
  EXPECT_EQ(left.constants, 0u);
  EXPECT_GT(kept.tables, 0u);
  EXPECT_EQ(left.tables, 0u);
}

} // namespace
} // namespace dendrolith::test
