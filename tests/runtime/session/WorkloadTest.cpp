// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model compiled once gives run after run what a run that compiles it gives.

#include "runtime/session/Workload.h"

#include "tests/runtime/session/CubaRequest.h"

namespace dendrolith::session {
namespace {

class PreparedTest : public CubaRequest {
protected:
  PreparedTest() { request.model.calibrate = request.inputs; }

  /// What of a result does not depend on the moment.
  static nlohmann::ordered_json lasting(RunOutcome outcome) {
    outcome.result.erase("wall_s");
    outcome.result.erase("peak_rss_bytes");
    return outcome.result;
  }
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
} // namespace dendrolith::session
