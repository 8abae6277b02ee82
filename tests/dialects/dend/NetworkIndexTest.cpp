// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace dendrolith;

namespace {

const char *const kNetwork = R"(
dend.network @net {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @relay ports(%I : f32) outputs(v : !dend.spike<graded>) {
    dend.yield emit(%I : f32)
  }
  dend.constant @W : tensor<2x2xf32> = dense<1.0> : tensor<2x2xf32>
  dend.population @A : @relay[2] on @step
  dend.population @B : @relay[2] on @step
  dend.project @x -> @A["I"] #dend.dense weight @W delay 0
  dend.project @A -> @B["I"] #dend.dense weight @W delay 0
  dend.project @x -> @B["I"] #dend.dense weight @W delay 0
  dend.output @y = @B["v"]
}
)";

class NetworkIndexTest : public ::testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<dend::DendDialect>();
    module = parseSourceString<ModuleOp>(kNetwork, &context);
    ASSERT_TRUE(module);
    network = *module->getOps<dend::NetworkOp>().begin();
  }
  FlatSymbolRefAttr name(StringRef symbol) {
    return FlatSymbolRefAttr::get(&context, symbol);
  }
  dend::PopulationOp population(StringRef symbol) {
    return network.lookupSymbol<dend::PopulationOp>(symbol);
  }
  /// What is asked with and without an index.
  void askAll() {
    dend::PopulationOp b = population("B");
    EXPECT_EQ(dend::symbolOf(b, name("W")), network.lookupSymbol("W"));
    EXPECT_EQ(dend::symbolOf<dend::PopulationOp>(b, name("A")),
              population("A"));
    EXPECT_FALSE(dend::symbolOf<dend::PopulationOp>(b, name("W")));
    EXPECT_FALSE(dend::symbolOf(b, name("none")));
    EXPECT_FALSE(dend::symbolOf(b, FlatSymbolRefAttr()));
    auto into = dend::projectionsInto(b);
    ASSERT_EQ(into.size(), 2u);
    EXPECT_EQ(into[0].getSource(), "A");
    EXPECT_EQ(into[1].getSource(), "x");
    EXPECT_EQ(dend::projectionsOutOf(population("A")).size(), 1u);
    EXPECT_TRUE(dend::projectionsOutOf(b).empty());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  dend::NetworkOp network;
};

} // namespace

TEST_F(NetworkIndexTest, AnswersAreTheSameWithAnIndex) {
  askAll();
  EXPECT_FALSE(dend::NetworkIndex::around(population("A")));
  {
    dend::NetworkIndex index(network);
    EXPECT_EQ(dend::NetworkIndex::around(population("A")), &index);
    askAll();
    dend::NetworkIndex inner(network);
    EXPECT_EQ(dend::NetworkIndex::around(network), &inner);
    askAll();
  }
  EXPECT_FALSE(dend::NetworkIndex::around(population("A")));
}

TEST_F(NetworkIndexTest, OtherNetworksHaveTheirOwn) {
  auto other = parseSourceString<ModuleOp>(kNetwork, &context);
  dend::NetworkIndex index(*other->getOps<dend::NetworkOp>().begin());
  EXPECT_FALSE(dend::NetworkIndex::around(population("A")));
  askAll();
}

TEST_F(NetworkIndexTest, NamesAreTakenOnceAndFoundWhenUsed) {
  dend::NetworkIndex index(network);
  EXPECT_EQ(index.freeName("new"), "new");
  EXPECT_EQ(index.freeName("new"), "new_1");
  EXPECT_EQ(index.freeName("new"), "new_2");
  EXPECT_EQ(index.freeName("W"), "W_1");
  EXPECT_FALSE(index.find(StringAttr::get(&context, "new")));
  auto weight = network.lookupSymbol<dend::ConstantOp>("W");
  OpBuilder builder(weight);
  auto copy = cast<dend::ConstantOp>(builder.clone(*weight.getOperation()));
  copy.setSymName("new");
  EXPECT_EQ(index.find(StringAttr::get(&context, "new")), copy);
}
