// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/objective/: the messages that are kept for replays.

#include "compiler/mapping/objective/Evaluation.h"
#include "runtime/host/SpareThreads.h"
#include "tests/compiler/mapping/Networks.h"

#include <map>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Two inputs, of which the second spikes in the second of three ticks, and
/// four neurons, of which the last two spike in that tick.
MapNetwork small() {
  MapNetwork network;
  addInput(network, "in", 2);
  addPopulation(network, "a", 4);
  dense(network, true, 0, 0);
  dense(network, false, 0, 0);
  network.hostOutput = {1};
  network.samples = 1;
  network.sampledTicks = 3;
  network.inputActivity = {{0, 2}};
  network.populationActivity = {{0, 0, 2, 2}};
  return network;
}

StepGraph made(const MapNetwork &network, const ChipModel &model,
               const Target &target) {
  return buildStepGraph(network, target.synapses, {{0, 2, 4}}, model);
}

TEST(StepRecorder, KeepsMessagesInTheOrderInWhichTheyLeave) {
  const Target target = Target::load("tiny");
  const ChipModel model(target);
  const StepGraph graph = made(small(), model, target);
  ASSERT_EQ(graph.replayed.size(), 3u); // few steps: all of them
  for (const ReplayStep &step : graph.replayed) {
    if (step.step != 1) {
      EXPECT_TRUE(step.messages.empty());
      EXPECT_TRUE(step.bursts.empty());
      continue;
    }
    // The input's, then for each neuron its lists and its value for the host.
    ASSERT_EQ(step.bursts.size(), 5u);
    EXPECT_EQ(step.bursts[0].from, host);
    EXPECT_EQ(step.bursts[0].work, 0);
    ASSERT_EQ(step.messages.size(), 2u + 2 * 3);
    EXPECT_EQ(step.messages[0].to, 0u);
    EXPECT_EQ(step.messages[1].to, 1u);
    EXPECT_EQ(step.bursts[1].from, 1u);
    EXPECT_EQ(step.bursts[2].end, 5u);
    EXPECT_EQ(step.messages[4].to, host);
    EXPECT_EQ(step.messages[4].service, 0);
    // The engine visits the neuron, which no input has reached before, fires,
    // and has nothing left to do.
    const auto &timing = model.timing;
    EXPECT_EQ(step.bursts[1].work,
              float(timing.updateInactive + timing.spikeEmit));
    EXPECT_EQ(step.bursts[2].work, 0);
    EXPECT_EQ(step.tail[0], float(2 * timing.updateInactive));
    EXPECT_EQ(step.tail[1], 0);
  }
}

TEST(StepRecorder, WorkAndServiceAreThoseOfTheLoads) {
  const Target target = Target::load("tiny");
  const ChipModel model(target);
  const StepGraph graph = made(small(), model, target);
  for (const ReplayStep &step : graph.replayed) {
    std::vector<double> update(2), receive(2);
    uint32_t message = 0;
    for (const ReplayStep::Burst &burst : step.bursts)
      for (; message < burst.end; ++message) {
        if (step.messages[message].to != host)
          receive[step.messages[message].to] +=
              double(step.messages[message].service);
        if (burst.from != host)
          update[burst.from] += double(model.timing.messageOut);
      }
    for (const ReplayStep::Burst &burst : step.bursts)
      if (burst.from != host)
        update[burst.from] += double(burst.work);
    for (uint32_t s = 0; s < 2; ++s) {
      EXPECT_FLOAT_EQ(float(update[s]) + step.tail[s],
                      graph.update[s * graph.steps + step.step]);
      EXPECT_FLOAT_EQ(float(receive[s]),
                      graph.receive[s * graph.steps + step.step]);
    }
  }
}

TEST(StepRecorder, EqualStepsAreFoundAndReplayedOnce) {
  const Target target = Target::load("tiny");
  const ChipModel model(target);
  MapNetwork network = small();
  // Every third tick the same. Neurons that nothing has reached before take
  // less time, so the first two steps are like no other.
  network.sampledTicks = 9;
  network.inputActivity = {{0, 0b010010010}};
  network.populationActivity = {{0, 0, 0b010010010, 0b010010010}};
  StepGraph graph = made(network, model, target);
  ASSERT_EQ(graph.replayed.size(), 9u);
  std::map<uint32_t, uint32_t> firstOf; // by step
  for (const ReplayStep &step : graph.replayed) {
    ASSERT_LT(step.like, graph.replayed.size());
    EXPECT_TRUE(step.sendsLike(graph.replayed[step.like]));
    EXPECT_EQ(graph.replayed[step.like].like, step.like);
    firstOf[step.step] = step.like;
  }
  EXPECT_EQ(firstOf[4], firstOf[7]);
  EXPECT_EQ(firstOf[5], firstOf[8]);
  EXPECT_NE(firstOf[1], firstOf[4]);
  EXPECT_NE(firstOf[4], firstOf[5]);
  // Each replayed for itself gives the same times.
  const Evaluation once = evaluate(graph, {0, 1}, target, model);
  for (uint32_t k = 0; k < graph.replayed.size(); ++k)
    graph.replayed[k].like = k;
  const Evaluation each = evaluate(graph, {0, 1}, target, model);
  EXPECT_EQ(once.stepPs, each.stepPs);
  EXPECT_EQ(once.updatePs, each.updatePs);
  EXPECT_EQ(once.networkPs, each.networkPs);
  EXPECT_EQ(once.receivePs, each.receivePs);
  SpareThreads threads(3);
  const Evaluation shared =
      evaluate(graph, {0, 1}, target, model, nullptr, nullptr, &threads);
  EXPECT_EQ(shared.stepPs, each.stepPs);
  EXPECT_EQ(shared.updatePs, each.updatePs);
  EXPECT_EQ(shared.networkPs, each.networkPs);
  EXPECT_EQ(shared.receivePs, each.receivePs);
}

TEST(StepRecorder, RatesAloneSayNothingOfSteps) {
  MapNetwork network = small();
  network.samples = network.sampledTicks = 0;
  network.inputActivity.clear();
  network.populationActivity.clear();
  network.inputRate = {{1, 1}};
  network.populationRate = {{1, 1, 1, 1}};
  const Target target = Target::load("tiny");
  EXPECT_TRUE(made(network, ChipModel(target), target).replayed.empty());
}

} // namespace
