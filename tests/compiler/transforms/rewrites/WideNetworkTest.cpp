// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/transforms/rewrites/WideNetwork.cpp and
// compiler/transforms/rewrites/WideBody.cpp.
// Wide neurons in many divisions into parts, with a front neuron and without,
// and in messages so short that most values take several: the bits of the wide
// neuron. Widths are so small that sums wrap and updates saturate.

#include "compiler/transforms/rewrites/WideNetwork.h"
#include "compiler/transforms/Passes.h"

#include "tests/compiler/transforms/rewrites/Divisions.h"
#include "tests/dialects/dend/reference/Support.h"

#include "mlir/Pass/PassManager.h"

namespace dendrolith::test {
namespace {

using dend::test::Loaded;

// Two neurons with two branches each: a delta rule on the columns of a matrix,
// the second predicated and frozen where it is not chosen; a sum over both and
// a norm over the columns; a number that only the combiner holds, and one that
// all parts read.
constexpr const char *kBranches = R"(
  dend.clock @t
  dend.input @x on @t : tensor<5xf64> as !dend.spike<int, -40, 40>
  dend.constant @K : tensor<6x5xi16> = dense<[[1, 2, 0, -1, 1], [3, -2, 1, 0, 2], [0, 1, -1, 2, 0],
      [-3, 1, 0, 2, 1], [2, 2, 1, -2, 0], [1, 0, 0, 1, -2]]> : tensor<6x5xi16>
  dend.constant @V : tensor<8x5xi16> = dense<[[0, 1, 0, 1, 2], [1, 0, -1, 0, 1], [2, 0, 0, 1, 0], [0, 0, 1, -1, 3],
      [-1, 1, 1, 0, 0], [0, 2, 0, -1, 1], [1, 1, 1, 1, 1], [0, -2, 1, 0, 2]]> : tensor<8x5xi16>
  dend.constant @bV : tensor<8xi64> = dense<[1, -2, 0, 3, -1, 2, 0, 5]> : tensor<8xi64>
  dend.constant @R : tensor<3x8xi16> = dense<[[1, -2, 3, 4, -5, 1, 0, 2],
      [2, 0, 0, 1, 0, -3, 1, 1], [-1, 1, -1, 1, 7, 2, 2, -4]]> : tensor<3x8xi16>
  dend.constant @E : tensor<3x2xi16> = dense<[[2, 1], [-1, 3], [3, -2]]> : tensor<3x2xi16>
  dend.constant @M : tensor<3x3xi16> = dense<[[5, -3, 2], [1, 6, -2], [0, 3, 4]]> : tensor<3x3xi16>
  dend.constant @G : tensor<4xi16> = dense<[9, -7, 12, 5]> : tensor<4xi16>
  dend.neuron @head ports(%ki : tensor<3x!dend.fx<9, -3>>, %v : tensor<4x!dend.fx<9, -3>>)
      params(%M : tensor<3x3x!dend.fx<6, -3>>, %G : tensor<4x!dend.fx<6, -3>>)
      states(%A : tensor<3x4x!dend.fx<8, -3>> reset sample, %B : tensor<3x4x!dend.fx<8, -3>> reset sample init 2 : i64,
          %n : !dend.fx<8, 0> reset sample init 1 : i64, %seen : !dend.fx<12, -3> reset sample)
      outputs(o[4] : !dend.spike<int, -256, 255>, e : !dend.spike<int, -2048, 2047>) {
    %k = dend.matvec %M, %ki round floor : (tensor<3x3x!dend.fx<6, -3>>, tensor<3x!dend.fx<9, -3>>) -> tensor<3x!dend.fx<9, -3>>
    %zero = dend.literal 0 : i64 as !dend.fx<9, -3>
    %none = dend.literal dense<[3, -1, 0, 2]> : tensor<4xi64> as tensor<4x!dend.fx<9, -3>>
    %k0 = dend.element %k[0] : (tensor<3x!dend.fx<9, -3>>) -> !dend.fx<9, -3>
    %c = dend.cmp gt %k0, %zero : (!dend.fx<9, -3>, !dend.fx<9, -3>) -> i1
    %vg = dend.mul %v, %G : (tensor<4x!dend.fx<9, -3>>, tensor<4x!dend.fx<6, -3>>) -> tensor<4x!dend.fx<15, -6>>
    %v9 = dend.rescale %vg round nearest_even overflow saturate : (tensor<4x!dend.fx<15, -6>>) -> tensor<4x!dend.fx<9, -3>>
    %pA = dend.vecmat %k, %A round nearest_even : (tensor<3x!dend.fx<9, -3>>, tensor<3x4x!dend.fx<8, -3>>) -> tensor<4x!dend.fx<9, -3>>
    %dA = dend.sub %v9, %pA overflow saturate : (tensor<4x!dend.fx<9, -3>>, tensor<4x!dend.fx<9, -3>>) -> tensor<4x!dend.fx<9, -3>>
    %An = dend.outer_add %A, %k, %dA round nearest_up : (tensor<3x4x!dend.fx<8, -3>>, tensor<3x!dend.fx<9, -3>>, tensor<4x!dend.fx<9, -3>>) -> tensor<3x4x!dend.fx<8, -3>>
    %oA = dend.vecmat %k, %An : (tensor<3x!dend.fx<9, -3>>, tensor<3x4x!dend.fx<8, -3>>) -> tensor<4x!dend.fx<9, -3>>
    %Bn, %oB = dend.when %c keep(%B, %none : tensor<3x4x!dend.fx<8, -3>>, tensor<4x!dend.fx<9, -3>>)
        -> (tensor<3x4x!dend.fx<8, -3>>, tensor<4x!dend.fx<9, -3>>) {
      %r = dend.roll %k by 1 : (tensor<3x!dend.fx<9, -3>>) -> tensor<3x!dend.fx<9, -3>>
      %pB = dend.vecmat %r, %B round nearest_even : (tensor<3x!dend.fx<9, -3>>, tensor<3x4x!dend.fx<8, -3>>) -> tensor<4x!dend.fx<9, -3>>
      %dB = dend.sub %v, %pB overflow wrap : (tensor<4x!dend.fx<9, -3>>, tensor<4x!dend.fx<9, -3>>) -> tensor<4x!dend.fx<9, -3>>
      %Bx = dend.outer_add %B, %r, %dB round nearest_up : (tensor<3x4x!dend.fx<8, -3>>, tensor<3x!dend.fx<9, -3>>, tensor<4x!dend.fx<9, -3>>) -> tensor<3x4x!dend.fx<8, -3>>
      %ox = dend.vecmat %r, %Bx : (tensor<3x!dend.fx<9, -3>>, tensor<3x4x!dend.fx<8, -3>>) -> tensor<4x!dend.fx<9, -3>>
      %nx = dend.mul %n, %ox : (!dend.fx<8, 0>, tensor<4x!dend.fx<9, -3>>) -> tensor<4x!dend.fx<17, -3>>
      %oy = dend.rescale %nx round floor overflow wrap : (tensor<4x!dend.fx<17, -3>>) -> tensor<4x!dend.fx<9, -3>>
      dend.give %Bx, %oy : tensor<3x4x!dend.fx<8, -3>>, tensor<4x!dend.fx<9, -3>>
    }
    %o = dend.add %oA, %oB overflow saturate : (tensor<4x!dend.fx<9, -3>>, tensor<4x!dend.fx<9, -3>>) -> tensor<4x!dend.fx<9, -3>>
    %q = dend.dot %o, %o round nearest_even : (tensor<4x!dend.fx<9, -3>>, tensor<4x!dend.fx<9, -3>>) -> !dend.fx<12, -3>
    %s = dend.add %seen, %q overflow saturate : (!dend.fx<12, -3>, !dend.fx<12, -3>) -> !dend.fx<12, -3>
    %one = dend.literal 1 : i64 as !dend.fx<8, 0>
    %nn = dend.sub %one, %n overflow wrap : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>
    dend.yield states(%An, %Bn, %nn, %s : tensor<3x4x!dend.fx<8, -3>>, tensor<3x4x!dend.fx<8, -3>>, !dend.fx<8, 0>, !dend.fx<12, -3>)
        emit(%o, %s : tensor<4x!dend.fx<9, -3>>, !dend.fx<12, -3>)
  }
  dend.neuron @sum ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample) {
    dend.yield states(%I : !dend.fx<24, 0>)
  }
  dend.population @H : @head[2] on @t bind {M = @M, G = @G}
  dend.population @S : @sum[3] on @t
  dend.project @x -> @H["ki"] #dend.dense weight @K
  dend.project @x -> @H["v"] #dend.dense weight @V bias @bV
  dend.project @x -> @H["v"] #dend.dense weight @V delay 1 shift 1
  dend.project @H["o"] -> @S["I"] #dend.dense weight @R
  dend.project @H["o"] -> @S["I"] #dend.dense weight @R delay 1 shift 3
  dend.project @H["e"] -> @S["I"] #dend.dense weight @E shift 9
)";

// Independent leaky compartments, whose spikes are counted.
constexpr const char *kCompartments = R"(
  dend.clock @t
  dend.input @x on @t : tensor<5xf64> as !dend.spike<int, -40, 40>
  dend.constant @W : tensor<5x5xi16> = dense<[[1, 2, 0, -1, 1], [3, -2, 1, 0, 2], [0, 1, -1, 2, 0],
      [-3, 1, 0, 2, 1], [2, 2, 1, -2, 0]]> : tensor<5x5xi16>
  dend.constant @one : tensor<2xi16> = dense<1> : tensor<2xi16>
  dend.constant @at : tensor<2x2xi32> = dense<[[3, 1], [0, 4]]> : tensor<2x2xi32>
  dend.constant @leak : tensor<5xi16> = dense<[12, 13, 15, 9, 14]> : tensor<5xi16>
  dend.constant @E : tensor<3x1xi16> = dense<[[2], [-1], [3]]> : tensor<3x1xi16>
  dend.neuron @many ports(%I : tensor<5x!dend.fx<10, 0>>) params(%leak : tensor<5x!dend.fx<6, -4>>)
      states(%u : tensor<5x!dend.fx<10, 0>> reset sample, %w : tensor<5x!dend.fx<8, 0>> reset sample init 3 : i64)
      outputs(y : !dend.spike<int, -512, 511>) {
    %m = dend.mul %leak, %u : (tensor<5x!dend.fx<6, -4>>, tensor<5x!dend.fx<10, 0>>) -> tensor<5x!dend.fx<16, -4>>
    %l = dend.rescale %m round floor overflow wrap : (tensor<5x!dend.fx<16, -4>>) -> tensor<5x!dend.fx<10, 0>>
    %n = dend.add %l, %I overflow saturate : (tensor<5x!dend.fx<10, 0>>, tensor<5x!dend.fx<10, 0>>) -> tensor<5x!dend.fx<10, 0>>
    %s = dend.rescale %n round floor overflow saturate : (tensor<5x!dend.fx<10, 0>>) -> tensor<5x!dend.fx<8, 0>>
    %d = dend.max %s, %w : (tensor<5x!dend.fx<8, 0>>, tensor<5x!dend.fx<8, 0>>) -> tensor<5x!dend.fx<8, 0>>
    %p = dend.dot %d, %n round floor : (tensor<5x!dend.fx<8, 0>>, tensor<5x!dend.fx<10, 0>>) -> !dend.fx<10, 0>
    %q = dend.reduce sum %n : (tensor<5x!dend.fx<10, 0>>) -> !dend.fx<10, 0>
    %y = dend.add %p, %q overflow saturate : (!dend.fx<10, 0>, !dend.fx<10, 0>) -> !dend.fx<10, 0>
    dend.yield states(%n, %d : tensor<5x!dend.fx<10, 0>>, tensor<5x!dend.fx<8, 0>>) emit(%y : !dend.fx<10, 0>)
  }
  dend.neuron @sum ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample) {
    dend.yield states(%I : !dend.fx<24, 0>)
  }
  dend.population @H : @many[1] on @t bind {leak = @leak}
  dend.population @S : @sum[3] on @t
  dend.project @x -> @H["I"] #dend.dense weight @W
  dend.project @x -> @H["I"] #dend.sparse weight @one indices @at delay 1 shift 2
  dend.project @x -> @H["I"] #dend.diagonal delay 2
  dend.project @H["y"] -> @S["I"] #dend.dense weight @E shift 3
)";

mlir::LogicalResult divide(dend::NetworkOp network, const std::string &parts,
                           bool front, unsigned bits) {
  DendSplitDendriteOptions options;
  options.population = "H";
  options.parts = parts;
  options.front = front;
  options.messageBits = bits;
  mlir::PassManager passes(network.getContext());
  passes.addNestedPass<dend::NetworkOp>(createDendSplitDendrite(options));
  return passes.run(network->getParentOp());
}

/// Whether every division has the bits of the wide neuron, and as many
/// populations `H.*`.
void check(const char *text, const std::vector<std::string> &divisions) {
  Loaded wide(text);
  ASSERT_TRUE(wide) << wide.errors;
  std::vector<int64_t> expected = run(*wide.operator->(), 5);
  std::set<int64_t> values(expected.begin(), expected.end());
  EXPECT_GT(values.size(), 60u); // the test sees something
  for (const std::string &parts : divisions)
    for (bool front : {false, true})
      for (unsigned bits : {32u, 5u}) {
        Loaded divided(text);
        ASSERT_TRUE(
            mlir::succeeded(divide(divided.network, parts, front, bits)))
            << parts << divided.errors;
        EXPECT_TRUE(divided.network.lookupSymbol("H.1")) << parts;
        auto interpreter = dend::Interpreter::create(divided.network);
        ASSERT_TRUE(mlir::succeeded(interpreter)) << parts << divided.errors;
        EXPECT_EQ(run(**interpreter, 5), expected)
            << parts << " " << front << " " << bits;
      }
}

TEST(WideNetwork, BranchesAndColumnsHaveTheSameBits) {
  check(kBranches, {"2", "3", "4", "5", "8", "2x1", "1x2", "1x4", "2x3", "1+3",
                    "2+1+1", "3+1"});
}

TEST(WideNetwork, IndependentCompartmentsHaveTheSameBits) {
  check(kCompartments, divisionsOfFive());
}

TEST(WideNetwork, CollectorsHaveTheSameBits) {
  for (unsigned bits : {32u, 4u}) {
    Loaded wide(kBranches), gathered(kBranches);
    for (const char *port : {"ki", "v"})
      ASSERT_TRUE(mlir::succeeded(collectSynapses(
          gathered.network.lookupSymbol<dend::PopulationOp>("H"), port, bits)));
    EXPECT_TRUE(gathered.network.lookupSymbol("H.v"));
    auto interpreter = dend::Interpreter::create(gathered.network);
    ASSERT_TRUE(mlir::succeeded(interpreter)) << gathered.errors;
    EXPECT_EQ(run(**interpreter, 5), run(*wide.operator->(), 5));
  }
}

// A predicated branch sends nothing and keeps its state in its part.
TEST(WideNetwork, ARegionStaysPredicated) {
  Loaded divided(kBranches);
  ASSERT_TRUE(mlir::succeeded(divide(divided.network, "2", true, 32)));
  std::vector<std::string> with;
  for (auto model : divided.network.getOps<dend::NeuronOp>()) {
    unsigned whens = 0;
    model.walk([&](dend::WhenOp) { ++whens; });
    if (whens)
      with.push_back(model.getSymName().str());
  }
  EXPECT_EQ(with, std::vector<std::string>{"H.part1"});
}

} // namespace
} // namespace dendrolith::test
