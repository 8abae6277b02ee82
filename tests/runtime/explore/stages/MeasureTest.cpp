// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/stages/Measure.cpp,
// runtime/explore/stages/Programs.cpp, runtime/explore/stages/Runs.cpp. A point against the run of the same
// chip from the command's side, and which stages are taken from whom.

#include "runtime/explore/stages/Measure.h"
#include "runtime/explore/stages/DesignSetup.h"

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "runtime/session/Run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

class MeasureTest : public ::testing::Test {
protected:
  MeasureTest()
      : folder(std::filesystem::temp_directory_path() /
               ("dendrolith-measure-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder);
    StudyModel model;
    model.name = "n";
    model.path =
        DENDROLITH_SOURCE_DIR "/tests/compiler/pipelines/Inputs/cuba.mlir";
    std::vector<double> x;
    for (int i = 0; i < 128; ++i)
      x.push_back(i % 3 == 0);
    model.input = {write("x.npy", Array::ofReals({4, 16, 2}, x))};
    model.calibrate = model.input;
    model.labels = write("y.npy", Array::ofInts({4}, {0, 1, 0, 1}));
    model.samples = 3;
    study.file = "study.yaml";
    study.models = {model};
    study.targets = {"tiny"};
    for (const char *name :
         {"timing.round.update_active", "costs.round.messages", "mesh.tiles_x"})
      study.axes.push_back({name, {}, ""});
  }
  ~MeasureTest() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string &name, const Array &array) const {
    const std::string path = (folder / name).string();
    writeAside(path, formatNpy(array));
    return path;
  }
  std::string stages() const { return (folder / "stages").string(); }
  static Design bare(Changes values) {
    return {"n", "tiny", std::move(values), 0};
  }
  /// On one core, so that no search of the mapper shows.
  static Design design(Changes values) {
    values.emplace_back("compile.cores", "1");
    return bare(std::move(values));
  }

  /// The same as `dendrolith run --target` says it, of the first three samples.
  session::RunOutcome run(const std::string &target) const {
    session::RunRequest request;
    request.path = study.models[0].path;
    request.model.compile.target = target;
    request.model.compile.minCores = request.model.compile.maxCores = 1;
    request.model.calibrate = study.models[0].calibrate;
    Array three = loadNpy((folder / "x.npy").string());
    three.shape[0] = 3;
    three.real.resize(96);
    request.inputs = {write("three.npy", three)};
    request.labels = write("labels.npy", Array::ofInts({3}, {0, 1, 0}));
    request.engine = "cycle";
    return session::run(request);
  }

  static void expectSame(const Point &point, const session::RunOutcome &run) {
    ASSERT_EQ(point.state, PointState::Done) << point.reason;
    const auto &result = run.result;
    auto low = [&](const char *name) { return point.values.at(name).low; };
    auto high = [&](const char *name) { return point.values.at(name).high; };
    EXPECT_NEAR(low("latency.mean") * 1e3,
                result["latency"]["per_sample_ns"]["mean"].get<double>(), 1e-6);
    EXPECT_EQ(low("accuracy"), result["score"]["value"].get<double>());
    EXPECT_EQ(low("cores"), result["mapping"]["cores"].get<double>());
    EXPECT_NEAR(low("energy") * 3e6,
                result["energy"]["low"]["total_pJ"].get<double>(), 1e-6);
    EXPECT_NEAR(high("energy") * 3e6,
                result["energy"]["high"]["total_pJ"].get<double>(), 1e-6);
    EXPECT_NEAR(low("static") * 3e6,
                result["energy"]["low"]["static_pJ"].get<double>(), 1e-6);
    double layers = 0, events = 0, samples = 0;
    for (const auto &[name, band] : point.energyByLayer)
      layers += band.high;
    for (const auto &[name, band] : point.energyByEvent)
      events += band.high;
    for (const Band &band : point.sampleEnergy)
      samples += band.high;
    EXPECT_NEAR(layers, high("energy"), 1e-9);
    EXPECT_NEAR(events, high("energy"), 1e-9);
    EXPECT_LE(samples / 3, high("energy") + 1e-9); // without resets
    EXPECT_EQ(point.latencyPs.size(), 3u);
    EXPECT_EQ(point.right.size(), 3u);
    EXPECT_GT(low("area"), 0);
    EXPECT_FALSE(point.fit.empty());
    uint64_t steps = 0;
    for (const auto &[who, count] : point.closedBy)
      steps += count;
    EXPECT_EQ(steps, 3 * result["steps"].get<uint64_t>());
  }

  /// "map values": the stages that were not reused.
  static std::string done(const Measured &measured) {
    std::string names;
    for (const Effort::Stage &stage : measured.effort.stages)
      if (!stage.reused)
        names += (names.empty() ? "" : " ") + stage.name;
    return names;
  }

  std::filesystem::path folder;
  Study study;
};

TEST_F(MeasureTest, APointIsTheRunOfItsChip) {
  Measurer measurer(study, stages());
  const Measured first = measurer.measure(design({}));
  expectSame(first.point, run("tiny"));
  EXPECT_EQ(done(first), "quantise map values time price");
  // Prices: nothing is run.
  const Measured priced =
      measurer.measure(design({{"costs.round.messages", "77"}}));
  expectSame(priced.point, run("tiny,costs.round.messages=77"));
  EXPECT_EQ(done(priced), "price");
  EXPECT_GT(priced.point.values.at("energy").low,
            first.point.values.at("energy").low);
  // Times: what was computed is timed again.
  const Measured timed =
      measurer.measure(design({{"timing.round.update_active", "900000"}}));
  expectSame(timed.point, run("tiny,timing.round.update_active=900000"));
  EXPECT_EQ(done(timed), "time price");
  // The mesh: mapped anew, and not quantised.
  const Measured placed = measurer.measure(design({{"mesh.tiles_x", "3"}}));
  expectSame(placed.point, run("tiny,mesh.tiles_x=3"));
  EXPECT_EQ(done(placed), "map values time price");
  EXPECT_GT(placed.point.values.at("area").low,
            first.point.values.at("area").low);
}

TEST_F(MeasureTest, OthersTakeWhatLiesInTheFolder) {
  const Design timed = design({{"timing.round.update_active", "900000"}});
  std::string bytes;
  {
    Measurer measurer(study, stages());
    measurer.measure(design({}));
    bytes = toJson(measurer.measure(timed).point).dump();
  }
  Measurer other(study, stages());
  const Measured again = other.measure(timed);
  EXPECT_EQ(done(again), "price");
  EXPECT_EQ(toJson(again.point).dump(), bytes);
  const Measured more =
      other.measure(design({{"timing.round.update_active", "800000"}}));
  EXPECT_EQ(done(more), "time price");
  // A damaged file is made again.
  for (const auto &each :
       std::filesystem::recursive_directory_iterator(folder / "stages"))
    if (each.is_regular_file())
      std::filesystem::resize_file(each.path(), each.file_size() - 1);
  Measurer third(study, stages());
  const Measured anew = third.measure(timed);
  EXPECT_EQ(done(anew), "quantise map values time price");
  EXPECT_EQ(toJson(anew.point).dump(), bytes);
}

TEST_F(MeasureTest, WhatDoesNotFitAndWhatContradictsItself) {
  Measurer measurer(study, stages());
  const Changes small = {{"mesh.tiles_x", "1"},
                         {"mesh.tiles_y", "1"},
                         {"mesh.cores_per_tile", "1"},
                         {"limits.compartments_per_core", "1"}};
  for (const char *who : {"found", "read"}) {
    Measurer each(study, stages());
    const Point unfit = each.measure(bare(small)).point;
    EXPECT_EQ(unfit.state, PointState::Unfit) << who;
    EXPECT_NE(unfit.reason.find("does not fit target"), std::string::npos);
    ASSERT_TRUE(unfit.shortage);
    EXPECT_EQ(unfit.shortage->resource, "neurons");
    EXPECT_EQ(unfit.shortage->used, 2);
    EXPECT_EQ(unfit.shortage->limit, 1);
  }
  auto reasonOf = [&](Changes values) {
    const Point point = measurer.measure(design(std::move(values))).point;
    EXPECT_EQ(point.state, PointState::Invalid);
    EXPECT_TRUE(point.values.empty());
    return point.reason;
  };
  EXPECT_NE(reasonOf({{"mesh.tile_x", "1"}}).find("did you mean"),
            std::string::npos);
  EXPECT_NE(reasonOf({{"costs.round.message", "1"}}).find("did you mean"),
            std::string::npos);
  EXPECT_NE(reasonOf({{"timing", "rund"}}).find("did you mean 'round'"),
            std::string::npos);
  EXPECT_NE(reasonOf({{"compile.mapfor", "time"}}).find("map-for"),
            std::string::npos);
  EXPECT_NE(reasonOf({{"compile.map-for", "tme"}}).find("tme"),
            std::string::npos);
  EXPECT_NE(
      reasonOf({{"compile.weight-bits", "4"}, {"quantise.a.weight_bits", "4"}})
          .find("vary one of them"),
      std::string::npos);
}

TEST_F(MeasureTest, KeysAndGroupsTellWhatDiffers) {
  Measurer measurer(study, stages());
  const Design plain = design({}),
               two = design({{"mesh.tiles_x", "3"}, {"timing", "round"}}),
               turned = design({{"timing", "round"}, {"mesh.tiles_x", "3"}}),
               priced = design({{"costs.round.messages", "77"}});
  EXPECT_EQ(measurer.keyOf(two), measurer.keyOf(turned));
  EXPECT_NE(measurer.keyOf(plain), measurer.keyOf(two));
  EXPECT_NE(measurer.keyOf(plain), measurer.keyOf(priced));
  const SharedStages stagesOfPlain = measurer.sharedStagesOf(plain);
  EXPECT_EQ(stagesOfPlain.program, measurer.sharedStagesOf(priced).program);
  EXPECT_NE(stagesOfPlain.program, measurer.sharedStagesOf(two).program);
  // The mesh changes nothing of the quantised network, and bits do.
  EXPECT_EQ(stagesOfPlain.network, measurer.sharedStagesOf(two).network);
  const Design narrow = design({{"formats.weight_bits", "4"}});
  EXPECT_NE(stagesOfPlain.network, measurer.sharedStagesOf(narrow).network);
  const std::string before = measurer.keyOf(plain);
  study.mapping = "each";
  Measurer each(study, stages());
  EXPECT_NE(each.sharedStagesOf(plain).program,
            each.sharedStagesOf(priced).program);
  // Another content under the same name.
  write("y.npy", Array::ofInts({4}, {1, 1, 0, 1}));
  study.mapping = "baseline";
  EXPECT_NE(Measurer(study, stages()).keyOf(plain), before);
}

TEST_F(MeasureTest, BitsOfALayer) {
  Measurer measurer(study, stages());
  const Measured two =
      measurer.measure(design({{"quantise.a.weight_bits", "2"}}));
  ASSERT_EQ(two.point.state, PointState::Done) << two.point.reason;
  const Measured flag =
      measurer.measure(design({{"compile.weight-bits", "2"}}));
  EXPECT_EQ(two.point.values, flag.point.values);
}

} // namespace
} // namespace dendrolith::explore
