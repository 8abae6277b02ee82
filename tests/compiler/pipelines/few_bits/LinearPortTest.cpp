// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/few_bits/LinearPort.cpp.
// Branches in units of their own do what they did before, to double rounding;
// what a branch's mean lost comes back by the bias behind it.

#include "compiler/pipelines/few_bits/LinearPort.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dendrolith {
namespace {

// Two neurons of three branches; their products with a memory behind them go
// through a matrix of each neuron's own.
const std::string kNetwork = R"(dend.network @n {
  dend.clock @t
  dend.input @x[2] on @t
  dend.neuron @m ports(%b : tensor<3xf64>) params(%W : tensor<2x4xf64> per_neuron, %c : tensor<2xf64> per_neuron, %k)
      states(%v : f64 reset sample) outputs(y) {
    %z = dend.concat %v, %b
    %h = dend.matvec %W, %z
    %i = dend.add %h, %c
    %r = dend.mul %i, %i
    %s = dend.reduce sum %r
    %w = dend.mul %k, %s
    EXTRA
    dend.yield states(%w) emit(%s)
  }
  dend.constant @W : tensor<2x2x4xf64> = dense<[[[0.5, 1.0, -2.0, 0.25], [0.1, 0.2, 0.3, 0.4]], [[1.5, -1.0, 2.0, 0.75], [0.3, -0.2, 0.1, 0.8]]]> : tensor<2x2x4xf64>
  dend.constant @c : tensor<2x2xf64> = dense<[[0.5, -0.5], [0.25, 1.0]]> : tensor<2x2xf64>
  dend.constant @k : tensor<f64> = dense<0.125> : tensor<f64>
  dend.constant @I : tensor<6x2xf64> = dense<[[0.3, -0.8], [1.1, 0.2], [0.7, 0.7], [-0.9, 0.4], [0.6, 1.2], [0.05, -0.3]]> : tensor<6x2xf64>
  dend.constant @d : tensor<6xf64> = dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]> : tensor<6xf64>
  dend.population @A : @m[2] on @t bind {W = @W, c = @c, k = @k}
  dend.project @x -> @A["b"] #dend.dense weight @I bias @d
  dend.output @y = @A["y"]
})";

class LinearPorts : public ::testing::Test {
protected:
  void load(const std::string &extra) {
    context.loadDialect<dend::DendDialect>();
    std::string text = kNetwork;
    text.replace(text.find("EXTRA"), 5, extra);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    network = *module->getOps<dend::NetworkOp>().begin();
  }

  std::optional<LinearPort> port() {
    return LinearPort::of(network.lookupSymbol<dend::PopulationOp>("A"), "b");
  }

  std::vector<double> run() {
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    auto made = dend::Interpreter::create(network);
    EXPECT_TRUE(mlir::succeeded(made));
    std::vector<double> all;
    for (int tick = 0; tick < 12; ++tick) {
      (*made)->tick({{"x", {std::sin(tick), std::cos(2 * tick)}}});
      for (double value : (*made)->output("y"))
        all.push_back(value);
    }
    return all;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  dend::NetworkOp network;
};

void expectEqual(const std::vector<double> &a, const std::vector<double> &b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], 1e-12 * (1 + std::fabs(a[k]))) << k;
}

TEST_F(LinearPorts, BranchesCountInUnitsOfTheirOwn) {
  load("");
  const std::vector<double> before = run();
  auto found = port();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->groups(), 6u);
  found->scale({1, 1.5, 2.25, 3, 1.25, 4});
  expectEqual(run(), before);
  auto weights = dend::readReals(
      network, (*network.getOps<dend::ProjectOp>().begin()).getWeightAttr());
  EXPECT_DOUBLE_EQ((*weights)[2], 1.1 * 1.5);
  EXPECT_DOUBLE_EQ((*weights)[11], -0.3 * 4);
}

// Sums that lack a constant have it again.
TEST_F(LinearPorts, TheBiasBehindTakesWhatMeansLost) {
  load("");
  const std::vector<double> before = run();
  const std::vector<double> lost{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  for (auto project : network.getOps<dend::ProjectOp>())
    project.removeBiasAttr();
  auto found = port();
  ASSERT_TRUE(found);
  LinearPort::Params now, original;
  ASSERT_TRUE(found->addMeans(lost, now, original));
  found->write(now);
  expectEqual(run(), before);
  EXPECT_EQ(original.size(), 1u);
  found->write(original);
  EXPECT_GT(std::fabs(run()[0] - before[0]), 0.01);
}

TEST_F(LinearPorts, AnotherUseIsRefused) {
  load("%q = dend.reduce sum %b");
  EXPECT_FALSE(port());
  load("%q = dend.matvec %W, %z");
  EXPECT_FALSE(port()) << "a parameter that is used twice";
}

} // namespace
} // namespace dendrolith
