// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/transforms/rewrites/DendriteParts.cpp,
// compiler/transforms/rewrites/DendritePartsDivide.cpp.
// A dendrite in every division into parts: the bits of the wide neuron. Widths
// are so small that sums wrap and updates saturate.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/rewrites/DendriteParts.h"

#include "tests/compiler/transforms/rewrites/Divisions.h"
#include "tests/dialects/dend/reference/Support.h"

#include "mlir/Pass/PassManager.h"

#include <random>

namespace dendrolith::test {
namespace {

using dend::test::Loaded;

// Two sums, one of them of a new value; a decision that needs no sum; a scalar
// state; two outputs of the compartments and one of the predictor.
constexpr const char *kWide = R"(
  dend.clock @t
  dend.input @x on @t : tensor<4xf64> as !dend.spike<int, -40, 40>
  dend.constant @W : tensor<5x4xi16> = dense<[[1, 2, 0, -1], [3, -2, 1, 0],
      [0, 1, -1, 2], [-3, 1, 0, 2], [2, 2, 1, -2]]> : tensor<5x4xi16>
  dend.constant @bW : tensor<5xi64> = dense<[1, -2, 0, 3, -1]> : tensor<5xi64>
  dend.constant @V : tensor<5x4xi16> = dense<[[0, 1, 0, 1], [1, 0, -1, 0],
      [2, 0, 0, 1], [0, 0, 1, -1], [-1, 1, 1, 0]]> : tensor<5x4xi16>
  dend.constant @Y : tensor<1x4xi16> = dense<[[1, -1, 2, 1]]> : tensor<1x4xi16>
  dend.constant @R : tensor<3x5xi16> = dense<[[1, -2, 3, 4, -5],
      [2, 0, 0, 1, 0], [-1, 1, -1, 1, 7]]> : tensor<3x5xi16>
  dend.constant @bR : tensor<3xi64> = dense<[5, -6, 7]> : tensor<3xi64>
  dend.constant @E : tensor<3x1xi16> = dense<[[2], [-1], [3]]> : tensor<3x1xi16>
  dend.constant @rate : tensor<i32> = dense<11> : tensor<i32>
  dend.neuron @wide ports(%a : tensor<5x!dend.fx<8, -3>>, %b : tensor<5x!dend.fx<8, -3>>, %y : !dend.fx<9, -3>)
      params(%rate : !dend.fx<8, -4>)
      states(%u : tensor<5x!dend.fx<9, -4>> reset sample, %m : tensor<5x!dend.fx<8, -3>> reset sample init 0 : i64, %last : !dend.fx<9, -3> reset sample init 3 : i64)
      outputs(u[5] : !dend.spike<int, -256, 255>, e : !dend.spike<int, -256, 255>, m[5] : !dend.spike<int, -128, 127>) {
    %p = dend.dot %u, %a round nearest_even : (tensor<5x!dend.fx<9, -4>>, tensor<5x!dend.fx<8, -3>>) -> !dend.fx<9, -3>
    %ab = dend.mul %a, %b : (tensor<5x!dend.fx<8, -3>>, tensor<5x!dend.fx<8, -3>>) -> tensor<5x!dend.fx<16, -6>>
    %q = dend.reduce sum %ab : (tensor<5x!dend.fx<16, -6>>) -> !dend.fx<16, -6>
    %q9 = dend.rescale %q round floor overflow saturate : (!dend.fx<16, -6>) -> !dend.fx<9, -3>
    %d = dend.sub %y, %p overflow saturate : (!dend.fx<9, -3>, !dend.fx<9, -3>) -> !dend.fx<9, -3>
    %e = dend.add %d, %last overflow saturate : (!dend.fx<9, -3>, !dend.fx<9, -3>) -> !dend.fx<9, -3>
    %g = dend.mul %e, %a : (!dend.fx<9, -3>, tensor<5x!dend.fx<8, -3>>) -> tensor<5x!dend.fx<17, -6>>
    %g9 = dend.rescale %g round nearest_up overflow saturate : (tensor<5x!dend.fx<17, -6>>) -> tensor<5x!dend.fx<9, -4>>
    %s = dend.add %u, %g9 overflow saturate : (tensor<5x!dend.fx<9, -4>>, tensor<5x!dend.fx<9, -4>>) -> tensor<5x!dend.fx<9, -4>>
    %r = dend.mul %rate, %s : (!dend.fx<8, -4>, tensor<5x!dend.fx<9, -4>>) -> tensor<5x!dend.fx<17, -8>>
    %un = dend.rescale %r round nearest_even overflow saturate : (tensor<5x!dend.fx<17, -8>>) -> tensor<5x!dend.fx<9, -4>>
    %f = dend.mul %q9, %m : (!dend.fx<9, -3>, tensor<5x!dend.fx<8, -3>>) -> tensor<5x!dend.fx<17, -6>>
    %f8 = dend.rescale %f round toward_zero overflow wrap : (tensor<5x!dend.fx<17, -6>>) -> tensor<5x!dend.fx<8, -3>>
    %mn = dend.max %f8, %a : (tensor<5x!dend.fx<8, -3>>, tensor<5x!dend.fx<8, -3>>) -> tensor<5x!dend.fx<8, -3>>
    dend.yield states(%un, %mn, %e : tensor<5x!dend.fx<9, -4>>, tensor<5x!dend.fx<8, -3>>, !dend.fx<9, -3>)
        emit(%u, %e, %m : tensor<5x!dend.fx<9, -4>>, !dend.fx<9, -3>, tensor<5x!dend.fx<8, -3>>)
  }
  dend.neuron @sum ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample) {
    dend.yield states(%I : !dend.fx<24, 0>)
  }
  dend.population @D : @wide[1] on @t bind {rate = @rate}
  dend.population @S : @sum[3] on @t
  dend.project @x -> @D["a"] #dend.dense weight @W bias @bW
  dend.project @x -> @D["b"] #dend.dense weight @V shift 1
  dend.project @x -> @D["a"] #dend.dense weight @V delay 2
  dend.project @x -> @D["y"] #dend.dense weight @Y
  dend.project @D["u"] -> @S["I"] #dend.dense weight @R bias @bR
  dend.project @D["m"] -> @S["I"] #dend.dense weight @R delay 1 shift 2
  dend.project @D["e"] -> @S["I"] #dend.dense weight @E shift 9
)";

mlir::LogicalResult split(dend::NetworkOp network, const std::string &parts) {
  DendSplitDendriteOptions options;
  options.parts = parts;
  mlir::PassManager passes(network.getContext());
  passes.addNestedPass<dend::NetworkOp>(createDendSplitDendrite(options));
  return passes.run(network->getParentOp());
}

TEST(SplitDendrite, EveryDivisionHasTheSameBits) {
  Loaded wide(kWide);
  ASSERT_TRUE(wide) << wide.errors;
  std::vector<int64_t> expected = run(*wide.operator->(), 4);
  std::set<int64_t> values(expected.begin(), expected.end());
  EXPECT_GT(values.size(), 100u); // the test sees something
  for (const std::string &sizes : divisionsOfFive()) {
    Loaded parts(kWide);
    ASSERT_TRUE(mlir::succeeded(split(parts.network, sizes))) << parts.errors;
    auto interpreter = dend::Interpreter::create(parts.network);
    ASSERT_TRUE(mlir::succeeded(interpreter)) << parts.errors;
    EXPECT_EQ(run(**interpreter, 4), expected) << sizes;
  }
}

TEST(SplitDendrite, APartShowsItsUpdateATickLater) {
  Loaded wide(kWide), parts(kWide);
  ASSERT_TRUE(mlir::succeeded(split(parts.network, "2+3"))) << parts.errors;
  auto interpreter = dend::Interpreter::create(parts.network);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  std::vector<int64_t> before(5, 0);
  std::mt19937 random(3);
  for (int tick = 0; tick < 20; ++tick) {
    std::vector<double> x{double(random() % 20), 0, double(random() % 9), 1};
    wide->tick({{"x", x}});
    (*interpreter)->tick({{"x", x}});
    std::vector<int64_t> now = (*interpreter)->state("D.0", "u").raw;
    const auto &rest = (*interpreter)->state("D.1", "u").raw;
    now.insert(now.end(), rest.begin(), rest.end());
    EXPECT_EQ(now, before) << tick;
    before = wide->state("D", "u").raw;
  }
}

} // namespace
} // namespace dendrolith::test
