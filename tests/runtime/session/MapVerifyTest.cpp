// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping refined on the cycle engine (runtime/session/MapVerify.h).

#include "runtime/session/MapVerify.h"
#include "runtime/image/Tables.h"
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

namespace {

/// Four neurons on two cores, in reverse order; 100 ns of update were foreseen.
image::Program program() {
  image::Program program;
  image::Population *population = program.add_populations();
  population->set_name("a");
  population->set_size(4);
  population->set_numbers(encodeU32({3, 2, 1, 0}));
  for (uint32_t c = 0; c < 2; ++c) {
    image::Core *core = program.add_cores();
    core->set_id(c == 0 ? 7 : 9);
    image::Group *group = core->add_groups();
    group->set_population("a");
    group->set_first_neuron(2 * c);
    group->set_count(2);
  }
  image::MappingTerm *term = program.mutable_mapping()->add_terms();
  term->set_name("update");
  term->set_value(100);
  return program;
}

/// Three of four steps wait for core 9.
sim::RunResult run() {
  sim::RunResult result;
  for (uint32_t core : {9u, 9u, 9u, 7u}) {
    sim::StepTime step;
    step.update = 150000;
    step.updateCore = core;
    step.noc = 50000;
    result.stepTimes.push_back({step});
  }
  return result;
}

TEST(Reweigh, NeuronsLieWhereTheProgramHasThem) {
  EXPECT_EQ(coresOfNeurons(program()).at("a"),
            (std::vector<uint32_t>{9, 9, 7, 7}));
}

TEST(Reweigh, PartsAreComparedWithThePrediction) {
  const StepParts mean = meanStep(run());
  EXPECT_EQ(mean.update, 150000);
  EXPECT_EQ(mean.total(), 200000);
  const Reweighing next = withParts({}, program(), run());
  EXPECT_DOUBLE_EQ(next.update, 1.5);
  EXPECT_EQ(next.network, 1); // nothing was predicted of it
  EXPECT_EQ(next.receive, 1);
}

TEST(Reweigh, NeuronsThatStepsWaitForCountMore) {
  const Reweighing once = withLoads({}, program(), run(), 0.1);
  EXPECT_EQ(once.update, 1);
  const std::vector<float> &load = once.load.at("a");
  ASSERT_EQ(load.size(), 4u);
  EXPECT_GT(load[0], 1);
  EXPECT_EQ(load[0], load[1]);
  EXPECT_LT(load[2], 1);
  EXPECT_NEAR(load[0] + load[1] + load[2] + load[3], 4, 1e-5);
  // Rounds add up.
  EXPECT_GT(withLoads(once, program(), run(), 0.1).load.at("a")[0], load[0]);
}

TEST(Reweigh, WithoutStepsNothingIsLearned) {
  const Reweighing next =
      withLoads(withParts({}, program(), {}), program(), {}, 0.1);
  EXPECT_EQ(next.update, 1);
  EXPECT_TRUE(next.load.empty());
}

} // namespace
} // namespace dendrolith::session
