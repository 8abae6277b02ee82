// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model compiled once gives run after run what a run that compiles it gives.

#include "runtime/session/Prepared.h"
#include "runtime/session/Run.h"

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace neurite::session {
namespace {

class PreparedTest : public ::testing::Test {
protected:
  PreparedTest()
      : folder(std::filesystem::temp_directory_path() /
               ("neurite-prepared-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder);
    request.path =
        NEURITE_SOURCE_DIR "/tests/compiler/pipelines/Inputs/cuba.mlir";
    request.model.compile.target = "loihi1";
    std::vector<double> x;
    for (int i = 0; i < 32; ++i)
      x.push_back(i % 3 == 0);
    const std::string path = (folder / "x.npy").string();
    writeAside(path, formatNpy(Array::ofReals({16, 2}, x)));
    request.inputs = request.model.calibrate = {path};
    request.traces = "a:v";
  }
  ~PreparedTest() override { std::filesystem::remove_all(folder); }

  /// What of a result does not depend on the moment.
  static nlohmann::ordered_json lasting(RunOutcome outcome) {
    outcome.result.erase("wall_s");
    outcome.result.erase("peak_rss_bytes");
    return outcome.result;
  }

  std::filesystem::path folder;
  RunRequest request;
};

TEST_F(PreparedTest, EachRunGivesWhatARunAloneGives) {
  for (const char *engine : {"functional", "reference"}) {
    request.engine = engine;
    request.prepared = nullptr;
    const RunOutcome alone = run(request);
    request.prepared =
        std::make_shared<Prepared>(compileOnce(request.model, request.path));
    for (int i = 0; i < 3; ++i) {
      const RunOutcome again = run(request);
      EXPECT_EQ(again.recording.traces.at("a:v").ints,
                alone.recording.traces.at("a:v").ints);
      EXPECT_EQ(lasting(again), lasting(alone)) << engine;
    }
  }
}

TEST_F(PreparedTest, WhatIsOnlyLoadedRunsAsItWasTrained) {
  request.prepared =
      std::make_shared<Prepared>(loadOnce(request.model, request.path));
  EXPECT_FALSE(request.prepared->program);
  request.engine = "functional";
  try {
    run(request);
    FAIL() << "expected Error";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("loaded, not compiled"),
              std::string::npos)
        << error.what();
  }
}

} // namespace
} // namespace neurite::session
