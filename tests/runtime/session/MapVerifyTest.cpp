// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping refined on the cycle engine (runtime/session/MapVerify.h).

#include "runtime/session/MapVerify.h"
#include "runtime/session/Run.h"
#include "tests/runtime/session/CubaRequest.h"

#include <gtest/gtest.h>

namespace dendrolith::session {
namespace {

const std::string models = DENDROLITH_SOURCE_DIR "/models/lif/";

RunRequest shapes() {
  RunRequest request;
  request.path = models + "shapes_lif.nir";
  request.inputs = {models + "calib_x.npy"};
  request.model.compile.target = "loihi1";
  return request;
}

TEST(MapVerify, TheBestSimulatedMappingStaysAndNoBitChanges) {
  RunRequest request = shapes();
  request.engine = "cycle";
  const RunOutcome plain = run(request);
  EXPECT_TRUE(plain.result.at("map_verify").is_null());
  request.model.mapVerify = 3;
  const RunOutcome refined = run(request);
  const auto &rounds = refined.result.at("map_verify").at("rounds");
  ASSERT_EQ(rounds.size(), 4u);
  EXPECT_EQ(rounds[0].at("new"), true);
  double least = rounds[0].at("price");
  int chosen = 0;
  for (const auto &round : rounds)
    least = std::min<double>(least, round.at("price"));
  for (const auto &round : rounds)
    if (round.at("chosen")) {
      ++chosen;
      EXPECT_EQ(round.at("price"), least);
      EXPECT_EQ(round.at("cores"), refined.result.at("mapping").at("cores"));
    }
  EXPECT_EQ(chosen, 1);
  EXPECT_EQ(refined.recording.outputs[0].values,
            plain.recording.outputs[0].values);
  EXPECT_NE(refined.report.find("Mapping refined on the cycle engine"),
            std::string::npos);
  // Round 0 is the mapping without refinement.
  EXPECT_EQ(rounds[0].at("cores"), plain.result.at("mapping").at("cores"));
  // The same again.
  EXPECT_EQ(run(request).result.at("map_verify"),
            refined.result.at("map_verify"));
}

TEST(MapVerify, WhereNothingSearchesThereIsNothingToRefine) {
  RunRequest request = shapes();
  request.model.mapVerify = 1;
  request.model.compile.solver = "packed";
  EXPECT_NE(errorOf(request).find("this mapping is by 'packed'"),
            std::string::npos)
      << errorOf(request);
  request = shapes();
  request.model.mapVerify = 1;
  request.engine = "float";
  EXPECT_NE(errorOf(request).find("the float engine has not"),
            std::string::npos);
}

} // namespace
} // namespace dendrolith::session
