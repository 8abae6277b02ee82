// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/few_bits/Rescale.cpp, dialects/dend/NumberAttrs.cpp.
// A population in another unit does what it did before, to double rounding.

#include "compiler/pipelines/few_bits/Rescale.h"

#include "dialects/dend/NumberAttrs.h"
#include "dialects/dend/reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dendrolith {
namespace {

// An apical dendrite that learns from its error and sends its state to four
// neurons with a threshold, whose trace of squares nobody reads.
const char *kApicalNetwork = R"(dend.network @n {
  dend.clock @t
  dend.input @x[3] on @t
  dend.neuron @apical ports(%a : tensor<2xf64>, %y) params(%alpha, %gamma)
      states(%u : tensor<2xf64> reset sample init @start) outputs(u[2]) {
    %p = dend.dot %u, %a
    %e = dend.sub %y, %p
    %k = dend.mul %gamma, %e
    %d = dend.mul %k, %a
    %l = dend.mul %alpha, %u
    %n = dend.add %l, %d
    dend.yield states(%n) emit(%u)
  }
  dend.neuron @lif ports(%I) params(%keep, %theta)
      states(%v : f64 reset sample init 0.25, %q) outputs(s) {
    %a = dend.mul %v, %keep
    %w = dend.add %a, %I
    %s = dend.cmp gt %w, %theta
    %r = dend.sub %w, %theta
    %n = dend.select %s, %r, %w
    %i = dend.mul %I, %I
    %b = dend.mul %q, %keep
    %c = dend.add %b, %i
    dend.yield states(%n, %c) emit(%s)
  }
  dend.constant @start : tensor<1x2xf64> = dense<[[0.5, -0.25]]> : tensor<1x2xf64>
  dend.constant @alpha : tensor<f64> = dense<0.9> : tensor<f64>
  dend.constant @gamma : tensor<f64> = dense<0.3> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<0.7> : tensor<f64>
  dend.constant @WA : tensor<2x3xf64> = dense<[[0.3, -0.8, 0.0], [1.1, 0.2, 0.0]]> : tensor<2x3xf64>
  dend.constant @WY : tensor<1x3xf64> = dense<[[0.0, 0.0, 1.0]]> : tensor<1x3xf64>
  dend.constant @WO : tensor<4x2xf64> = dense<[[1.0, 0.4], [-0.6, 0.9], [0.2, 0.2], [1.7, -0.3]]> : tensor<4x2xf64>
  dend.constant @bO : tensor<4xf64> = dense<[0.1, 0.2, 0.3, 0.1]> : tensor<4xf64>
  dend.population @A : @apical[1] on @t bind {alpha = @alpha, gamma = @gamma}
  dend.population @S : @lif[4] on @t bind {keep = @alpha, theta = @theta}
      {calibration = {I = array<f64: -1.0, 2.0>, v = array<f64: -2.0, 4.0>}}
  dend.project @x -> @A["a"] #dend.dense weight @WA
  dend.project @x -> @A["y"] #dend.dense weight @WY
  dend.project @A["u"] -> @S["I"] #dend.dense weight @WO bias @bO
  dend.output @s = @S["s"]
})";

class Rescaled : public ::testing::Test {
protected:
  Rescaled() {
    context.loadDialect<dend::DendDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(kApicalNetwork, &context);
    network = *module->getOps<dend::NetworkOp>().begin();
  }

  dend::PopulationOp population(const char *name) {
    return network.lookupSymbol<dend::PopulationOp>(name);
  }

  /// States u, v and q, and spikes, of some ticks.
  std::vector<double> run() {
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    auto made = dend::Interpreter::create(network);
    EXPECT_TRUE(mlir::succeeded(made));
    std::vector<double> all;
    auto add = [&](const std::vector<double> &values, double units) {
      for (double value : values)
        all.push_back(value / units);
    };
    auto units = [&](const char *of, const char *state) {
      return dend::unitsOf(population(of), dend::kStateUnits, state);
    };
    for (int tick = 0; tick < 20; ++tick) {
      (*made)->tick({{"x", {std::sin(tick), std::cos(2 * tick), 0.1 * tick}}});
      add((*made)->state("A", "u").real, units("A", "u"));
      add((*made)->state("S", "v").real, units("S", "v"));
      add((*made)->state("S", "q").real, units("S", "q"));
      add((*made)->output("s"), 1);
    }
    return all;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  dend::NetworkOp network;
};

TEST_F(Rescaled, ComputesTheSameInOtherUnits) {
  const std::vector<double> before = run();
  for (auto [name, port] : {std::pair("A", "a"), std::pair("S", "I")}) {
    auto degrees = freeUnitOf(population(name), port);
    ASSERT_TRUE(degrees) << name;
    rescale(population(name), *degrees, 1.37);
  }
  const std::vector<double> after = run();
  ASSERT_EQ(after.size(), before.size());
  double spikes = 0;
  for (size_t k = 0; k < before.size(); ++k) {
    EXPECT_NEAR(after[k], before[k], 1e-12 * (1 + std::fabs(before[k]))) << k;
    spikes += k % 14 >= 10 ? before[k] : 0;
  }
  EXPECT_GT(spikes, 5);
}

// A state and an output of one name count once each; a trace of squares has
// the square of the factor.
TEST_F(Rescaled, NotesTheUnitsOfStatesAndOutputs) {
  rescale(population("A"), *freeUnitOf(population("A"), "a"), 1.37);
  rescale(population("S"), *freeUnitOf(population("S"), "I"), 1.37);
  auto units = [&](const char *of, llvm::StringRef what, const char *name) {
    return dend::unitsOf(population(of), what, name);
  };
  EXPECT_DOUBLE_EQ(units("A", dend::kStateUnits, "u"), 1 / 1.37);
  EXPECT_DOUBLE_EQ(units("A", dend::kOutputUnits, "u"), 1 / 1.37);
  EXPECT_DOUBLE_EQ(units("A", dend::kPortUnits, "a"), 1.37);
  EXPECT_DOUBLE_EQ(units("A", dend::kPortUnits, "y"), 1);
  EXPECT_DOUBLE_EQ(units("S", dend::kStateUnits, "v"), 1.37);
  EXPECT_DOUBLE_EQ(units("S", dend::kStateUnits, "q"), 1.37 * 1.37);
  EXPECT_DOUBLE_EQ(units("S", dend::kOutputUnits, "s"), 1);
  auto ranges = population("S").getCalibrationAttr();
  EXPECT_DOUBLE_EQ(mlir::cast<mlir::DenseF64ArrayAttr>(ranges.get("v"))[1],
                   4 * 1.37);
}

// The host reads what it read before.
TEST_F(Rescaled, OutputsAreInTheUnitsOfTheFile) {
  mlir::OpBuilder builder(&context);
  builder.setInsertionPointToEnd(&network.getBody().front());
  auto show = [&](const char *name, bool probe, const char *population,
                  const char *from) {
    dend::OutputOp::create(builder, network.getLoc(),
                           builder.getStringAttr(name),
                           probe ? builder.getUnitAttr() : mlir::UnitAttr(),
                           mlir::FlatSymbolRefAttr::get(&context, population),
                           builder.getStringAttr(from),
                           mlir::DenseI64ArrayAttr(), mlir::StringAttr());
  };
  show("potential", true, "S", "v");
  show("dendrite", false, "A", "u");
  auto read = [&] {
    auto made = dend::Interpreter::create(network);
    std::vector<double> all;
    for (int tick = 0; tick < 5; ++tick) {
      (*made)->tick({{"x", {0.5, -0.25, 1}}});
      for (const char *name : {"potential", "dendrite"})
        for (double value : (*made)->output(name))
          all.push_back(value);
    }
    return all;
  };
  const std::vector<double> before = read();
  rescale(population("A"), *freeUnitOf(population("A"), "a"), 1.37);
  rescale(population("S"), *freeUnitOf(population("S"), "I"), 0.8);
  const std::vector<double> after = read();
  ASSERT_EQ(after.size(), before.size());
  for (size_t k = 0; k < before.size(); ++k)
    EXPECT_NEAR(after[k], before[k], 1e-12) << k;
}

} // namespace
} // namespace dendrolith
