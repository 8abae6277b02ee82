// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Synapses.h"

#include "tests/dialects/dend/reference/Support.h"

namespace dendrolith::test {
namespace {

using dend::test::Loaded;
using Ids = std::vector<uint32_t>;

/// Inputs and populations of a few sizes and types, then `rest`.
std::string body(const std::string &rest) {
  return R"(dend.clock @step
    dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
    dend.input @z on @step : tensor<3xf64> as !dend.spike<graded>
    dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
      dend.yield emit(%I : f64)
    }
    dend.neuron @wide ports(%I : tensor<2xf64>) outputs(y[2] : !dend.spike<graded>) {
      dend.yield emit(%I : tensor<2xf64>)
    }
    dend.neuron @fixed ports(%I : !dend.fx<64, 0>) outputs(y : !dend.spike<int, -7, 7>) {
      dend.yield emit(%I : !dend.fx<64, 0>)
    }
    dend.population @a : @relay[3] on @step
    dend.population @f : @fixed[3] on @step
    dend.population @w : @wide[3] on @step
  )" + rest;
}

template <typename Weight = double>
mlir::FailureOr<SynapseArrays<Weight>> read(Loaded &loaded) {
  if (!loaded.network) {
    ADD_FAILURE() << loaded.errors;
    return mlir::failure();
  }
  auto all = loaded.network.getOps<dend::ProjectOp>();
  return readSynapses<Weight>(*all.begin());
}

TEST(Synapses, DenseIsRowByRow) {
  Loaded loaded(body(R"(
    dend.constant @k : tensor<3x2xf64> = dense<[[1.0, 2.0], [0.0, 4.0], [5.0, -6.0]]> : tensor<3x2xf64>
    dend.project @x -> @a["I"] #dend.dense weight @k delay 0)"));
  auto s = read(loaded);
  ASSERT_TRUE(mlir::succeeded(s)) << loaded.errors;
  // A zero is a stored synapse.
  EXPECT_EQ(s->weights, (std::vector<double>{1, 2, 0, 4, 5, -6}));
  EXPECT_EQ(s->target, (Ids{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(s->source, (Ids{0, 1, 0, 1, 0, 1}));
}

TEST(Synapses, SparseIsTargetThenSource) {
  Loaded loaded(body(R"(
    dend.constant @k : tensor<3xf64> = dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
    dend.constant @i : tensor<3x2xi32> = dense<[[0, 0], [2, 0], [1, 1]]> : tensor<3x2xi32>
    dend.project @x -> @a["I"] #dend.sparse weight @k indices @i delay 0)"));
  auto s = read(loaded);
  ASSERT_TRUE(mlir::succeeded(s)) << loaded.errors;
  EXPECT_EQ(s->weights, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(s->target, (Ids{0, 2, 1}));
  EXPECT_EQ(s->source, (Ids{0, 0, 1}));
}

TEST(Synapses, DiagonalWithAndWithoutWeights) {
  for (bool weighted : {false, true}) {
    Loaded loaded(body(std::string(R"(
      dend.constant @k : tensor<3xf64> = dense<[7.0, 8.0, 9.0]> : tensor<3xf64>
      dend.project @z -> @a["I"] #dend.diagonal )") +
                       (weighted ? "weight @k " : "") + "delay 0"));
    auto s = read(loaded);
    ASSERT_TRUE(mlir::succeeded(s)) << loaded.errors;
    EXPECT_EQ(s->weights, weighted ? (std::vector<double>{7, 8, 9})
                                   : (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(s->target, (Ids{0, 1, 2}));
    EXPECT_EQ(s->source, s->target);
  }
}

TEST(Synapses, WindowsShareTheirWeights) {
  const char *conv = R"(
    dend.constant @k : tensor<1x1x1x2xf64> = dense<[[[[3.0, -4.0]]]]> : tensor<1x1x1x2xf64>
    dend.project @z -> @a["I"] #dend.conv<input = [1, 1, 3], stride = [1, 1], padding = [0, 0, 0, 1], dilation = [1, 1], groups = 1> weight @k delay 0)";
  Loaded loaded(body(conv));
  auto s = read(loaded);
  ASSERT_TRUE(mlir::succeeded(s)) << loaded.errors;
  EXPECT_EQ(s->weights, (std::vector<double>{3, -4}));
  EXPECT_EQ(s->target, (Ids{0, 0, 1, 1, 2}));
  EXPECT_EQ(s->source, (Ids{0, 1, 1, 2, 2}));
  EXPECT_EQ(s->index, (Ids{0, 1, 0, 1, 0}));

  // Spread, each synapse has a weight, by source and then target.
  ASSERT_TRUE(mlir::succeeded(
      spreadWeights(*loaded.network.getOps<dend::ProjectOp>().begin())));
  s = read(loaded);
  ASSERT_TRUE(mlir::succeeded(s)) << loaded.errors;
  EXPECT_EQ(s->weights, (std::vector<double>{3, -4, 3, -4, 3}));
  EXPECT_EQ(s->target, (Ids{0, 0, 1, 1, 2}));
  EXPECT_EQ(s->source, (Ids{0, 1, 1, 2, 2}));
  EXPECT_TRUE(s->index.empty());

  Loaded pooled(body(R"(
    dend.project @z -> @a["I"] #dend.pool<average = true, input = [1, 1, 3], kernel = [1, 2], stride = [1, 1], padding = [0, 0, 0, 1]> delay 0)"));
  s = read(pooled);
  ASSERT_TRUE(mlir::succeeded(s)) << pooled.errors;
  EXPECT_EQ(s->weights, (std::vector<double>{0.5}));
  EXPECT_EQ(s->index, (Ids{0, 0, 0, 0, 0}));
  poolingToConvolution(*pooled.network.getOps<dend::ProjectOp>().begin());
  s = read(pooled);
  ASSERT_TRUE(mlir::succeeded(s)) << pooled.errors;
  EXPECT_EQ(s->weights, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(s->source, (Ids{0, 1, 1, 2, 2}));
}

TEST(Synapses, IntegersAreReadExactly) {
  Loaded loaded(body(R"(
    dend.constant @k : tensor<3x3xi16> = dense<[[-128, 127, 1], [0, -1, 32767], [2, 3, 4]]> : tensor<3x3xi16>
    dend.project @f -> @f["I"] #dend.dense weight @k delay 1)"));
  auto s = read<int64_t>(loaded);
  ASSERT_TRUE(mlir::succeeded(s)) << loaded.errors;
  EXPECT_EQ(s->weights,
            (std::vector<int64_t>{-128, 127, 1, 0, -1, 32767, 2, 3, 4}));
}

TEST(Synapses, ElementsAreNeuronsTimesVectors) {
  Loaded loaded(body(R"(
    dend.constant @k : tensor<6xf64> = dense<1.0> : tensor<6xf64>
    dend.project @w -> @w["I"] #dend.diagonal weight @k delay 1)"));
  ASSERT_TRUE(loaded.network) << loaded.errors;
  auto all = loaded.network.getOps<dend::ProjectOp>();
  EXPECT_EQ(sourceElements(*all.begin()), 6);
  EXPECT_EQ(targetElements(*all.begin()), 6);
}

TEST(Synapses, UnboundWeightsAreNamed) {
  Loaded loaded(body(R"(
    dend.constant @k : tensor<3x2xf64> extern "layer.weight"
    dend.project @x -> @a["I"] #dend.dense weight @k delay 0)"));
  EXPECT_TRUE(mlir::failed(read(loaded)));
  EXPECT_NE(loaded.errors.find("its weights '@k' have no value; bind them"),
            std::string::npos)
      << loaded.errors;
}

} // namespace
} // namespace dendrolith::test
