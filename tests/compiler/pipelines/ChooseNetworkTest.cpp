// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/ChooseNetwork.cpp,
// compiler/pipelines/samples/Answers.cpp. Which networks of integers are
// compared, and is the one kept whose answers are closest?

#include "compiler/pipelines/ChooseNetwork.h"
#include "compiler/pipelines/Compile.h"
#include "compiler/pipelines/samples/Answers.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith {
namespace {

std::string names(const QuantiserOptions &asked, QuantisedKind network) {
  std::string text;
  for (const QuantiserCandidate &candidate : candidatesOf(asked, network))
    text += (text.empty() ? "" : "; ") + candidate.name;
  return text;
}

TEST(ChooseNetwork, FlagsThatAreGivenStay) {
  const QuantisedKind programs{true, true, true, false},
      current{true, true, false, true};
  QuantiserOptions asked;
  EXPECT_EQ(names(asked, {false, true, true, true}), "max, nearest");
  EXPECT_EQ(names(asked, {true, false, true, true}), "search, nearest");
  EXPECT_EQ(names(asked, current), "search, adaptive");
  EXPECT_EQ(names(asked, programs),
            "search, adaptive, rescaled; search, adaptive");
  asked.candidates = "one";
  EXPECT_EQ(names(asked, programs), "search, adaptive, rescaled");
  asked.candidates = "few";
  EXPECT_EQ(names(asked, {false, true, false, true}),
            "max, nearest; search, nearest");
  asked.candidates = "many";
  EXPECT_EQ(names(asked, current),
            "search, adaptive; search, nearest; "
            "search, adaptive, a step per layer; "
            "search, nearest, a step per layer; max, nearest");
  asked.candidates = "auto";
  asked.method = "search";
  EXPECT_EQ(names(asked, current), "search, nearest; search, adaptive; "
                                   "search, nearest, a step per layer; "
                                   "search, adaptive, a step per layer");
  asked.rounding = "nearest";
  EXPECT_EQ(names(asked, programs),
            "search, nearest, rescaled; search, nearest");
  asked.rescaling = false;
  EXPECT_EQ(names(asked, programs), "search, nearest");
  asked.method = "max";
  EXPECT_EQ(names(asked, programs), "max, nearest");
}

TEST(Answers, TheErrorIsRelativeToTheFloatNetworks) {
  const Answers truth = {{"a", {3, 4}}, {"b", {0, 2}}};
  EXPECT_EQ(answerError(truth, truth), 0);
  EXPECT_DOUBLE_EQ(answerError({{"a", {3, 5}}, {"b", {1, 2}}}, truth),
                   1.0 / 25 + 1.0 / 4);
  EXPECT_TRUE(std::isinf(answerError({{"a", {3, 5}}}, truth)));
  EXPECT_TRUE(std::isinf(answerError({{"a", {3, NAN}}, {"b", {0, 2}}}, truth)));
}

/// A neuron that sums up its two inputs and is read; `weights` are its own.
std::string network(const std::string &weights) {
  return R"(dend.network @n {
  dend.clock @t
  dend.input @x[2] on @t
  dend.neuron @m ports(%I) params(%keep) states(%v) outputs(y) {
    %a = dend.mul %v, %keep
    %w = dend.add %a, %I
    %z = dend.literal 0.0
    %p = dend.max %w, %z
    dend.yield states(%w) emit(%p)
  }
  dend.constant @keep : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @W : tensor<1x2xf64> = dense<[[)" +
         weights + R"(]]> : tensor<1x2xf64>
  dend.population @a : @m[1] on @t bind {keep = @keep}
  dend.project @x -> @a["I"] #dend.dense weight @W
  dend.output @y = @a["y"]
})";
}

/// What the report says of the networks that were compared.
std::string compared(const std::string &weights, unsigned threads = 1) {
  const auto file =
      std::filesystem::temp_directory_path() /
      ("dendrolith-choose-" + std::to_string(::getpid()) + ".mlir");
  std::ofstream(file) << network(weights);
  Compilation model(file.string());
  std::filesystem::remove(file);
  Samples x;
  x.samples = 8;
  x.steps = 4;
  x.shape = {2};
  std::vector<double> values;
  for (int k = 0; k < 64; ++k)
    values.push_back(std::sin(k * k));
  x.values = values;
  model.useThreads(threads);
  model.calibrate({{"x", x}});
  CompileOptions options;
  options.target = "loihi2";
  options.weightBits = "3";
  model.quantise(options);
  dend::NetworkOp fixed = model.fixedNetwork();
  for (auto note : fixed.getPoliciesAttr().getAsRange<report::NoteAttr>())
    if (note.fields().key == "networks compared")
      return note.fields().value;
  return "";
}

// 3 bits are -3 to 3: sqrt(2) times 1 and 3 is exact in another unit.
TEST(ChooseNetwork, AnotherUnitIsKeptWhereItsAnswersAreCloser) {
  const std::string said = compared("1.41421356, 4.24264069");
  EXPECT_EQ(said.rfind("kept: search, adaptive, rescaled; ", 0), 0u) << said;
  EXPECT_EQ(compared("1.41421356, 4.24264069", 2), said);
}

} // namespace
} // namespace dendrolith
