// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/ModelOptions.h"

#include "compiler/pipelines/Rewrites.h"
#include "targets/support/Error.h"

#include "gtest/gtest.h"

#include <gtest/gtest.h>

namespace dendrolith::options {
namespace {

/// The options of a command and the request that they fill.
struct ModelOptions : testing::Test {
  ModelOptions() { bindModel(options, request); }

  session::ModelRequest request;
  CommandOptions options{"compile"};
};

TEST_F(ModelOptions, HaveTheStandardValuesOfTheCompiler) {
  const CompileOptions standard;
  EXPECT_EQ(request.compile.target, standard.target);
  EXPECT_EQ(request.compile.spikes, standard.spikes);
  EXPECT_EQ(request.compile.mapSeed, standard.mapSeed);
  EXPECT_EQ(request.compile.splitDendrite, standard.splitDendrite);
  EXPECT_EQ(request.compile.quantiser.method, standard.quantiser.method);
  EXPECT_EQ(request.compile.quantiser.rounding, standard.quantiser.rounding);
  EXPECT_EQ(request.compile.quantiser.candidates,
            standard.quantiser.candidates);
  EXPECT_EQ(request.compile.quantiser.thresholdScale,
            standard.quantiser.thresholdScale);
  EXPECT_EQ(request.compile.quantiser.correctBias,
            standard.quantiser.correctBias);
  EXPECT_EQ(request.compile.quantiser.rescaling, standard.quantiser.rescaling);
}

TEST_F(ModelOptions, OfferEachRewrite) {
  EXPECT_EQ(options.find("rewrite")->choices(), rewriteNames());
}

TEST_F(ModelOptions, ReadNumbersOfCores) {
  options.set("cores", {"2:4"});
  EXPECT_EQ(request.compile.minCores, 2u);
  EXPECT_EQ(request.compile.maxCores, 4u);
  options.set("cores", {"3:"});
  EXPECT_EQ(request.compile.minCores, 3u);
  EXPECT_EQ(request.compile.maxCores, 0u);
  EXPECT_THROW(options.set("cores", {"0:"}), UsageError);
  EXPECT_THROW(options.set("cores", {"4:2"}), UsageError);
  EXPECT_THROW(options.set("cores", {":"}), UsageError);
}

TEST_F(ModelOptions, PassWhatAFileDoesNotSayToTheImporter) {
  options.set("import", {"reset=zero,dt=0.5", "preset=norse"});
  EXPECT_EQ(
      request.import,
      (ImportOptions{{"preset", "norse"}, {"dt", "0.5"}, {"reset", "zero"}}));
  EXPECT_THROW(options.set("import", {"dt=1"}), UsageError);
  EXPECT_THROW(options.set("import", {"dt"}), UsageError);
  EXPECT_THROW(options.set("import", {"dt=soon"}), Error);
  EXPECT_THROW(options.set("import", {"dx=1"}), Error);
}

TEST(ModelAxes, MeanWhatTheyMeanOnACommandLine) {
  const session::ModelRequest request =
      requestWith({{"map-for", "energy"},
                   {"cores", "2:4"},
                   {"bias-correction", "false"},
                   {"dt", "0.5"}});
  EXPECT_EQ(request.compile.mapFor, "energy");
  EXPECT_EQ(request.compile.minCores, 2u);
  EXPECT_EQ(request.compile.maxCores, 4u);
  EXPECT_FALSE(request.compile.quantiser.correctBias);
  EXPECT_EQ(request.import, (ImportOptions{{"dt", "0.5"}}));
  EXPECT_THROW(requestWith({{"map-for", "luck"}}), Error);
  EXPECT_THROW(requestWith({{"target", "loihi2"}}), Error);
}

TEST(ModelAxes, HaveAStageOfTheCompiler) {
  EXPECT_EQ(axisStageOf("map-for"), CompilerStage::Map);
  EXPECT_EQ(axisStageOf("weight-bits"), CompilerStage::Quantise);
  EXPECT_EQ(axisStageOf("candidates"), CompilerStage::Quantise);
  EXPECT_EQ(axisStageOf("rewrite"), CompilerStage::Load);
  EXPECT_EQ(axisStageOf("dt"), CompilerStage::Load);
  EXPECT_EQ(axisStageOf("target"), CompilerStage::None);
}

TEST_F(ModelOptions, SayWhatACompiledProgramCannotFollow) {
  EXPECT_EQ(givenToCompiler(options), "");
  options.bind("map-verify", request.mapVerify);
  options.set("cores", {"3"});
  options.set("tuning", {"{map-verify: 2}"});
  EXPECT_EQ(givenToCompiler(options), "--cores, map-verify of --tuning");
}

} // namespace

namespace {

TEST(Words, KeysOfAStudyStandInPlaceOfFlags) {
  EXPECT_EQ(withKeys("another target, or --override-limit max_delay"),
            "another target, or compile.override-limit max_delay");
  EXPECT_EQ(withKeys("--cores: expected MIN:MAX"),
            "compile.cores: expected MIN:MAX");
  EXPECT_EQ(withKeys("fewer neurons (--cores)"),
            "fewer neurons (compile.cores)");
  EXPECT_EQ(withKeys("check --import dt and --import time-unit=s"),
            "check compile.dt and compile.time-unit=s");
  EXPECT_EQ(withKeys("give some with --calibrate"),
            "give some with calibrate of the model");
}

TEST(Words, WhatIsNoKeyStays) {
  for (const char *text : {"", "--", "nothing", "--verify runs in one process",
                           "the file 'a--cores.npy'", "--import nothing"})
    EXPECT_EQ(withKeys(text), text);
}

} // namespace
} // namespace dendrolith::options
