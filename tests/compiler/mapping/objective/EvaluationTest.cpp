// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/objective/: steps predicted, against sums by hand. The
// chip is `tiny`, whose times and prices are round.

#include "compiler/mapping/objective/Evaluation.h"
#include "compiler/mapping/objective/StepRecorder.h"
#include "targets/loader/Target.h"
#include "tests/compiler/mapping/Networks.h"

#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// The network of models/relay: the input, a and b, in phases 0, 1 and 2, with
/// a spike in each of three ticks that travels through both to the host.
MapNetwork relay() {
  MapNetwork network;
  addInput(network, "in", 1);
  addPopulation(network, "a", 1);
  addPopulation(network, "b", 1);
  network.populations[0].schedule.phase = 1;
  network.populations[1].schedule.phase = 2;
  oneToOne(network, true, 0, 0);
  oneToOne(network, false, 0, 1);
  network.hostOutput = {0, 1};
  network.samples = 1;
  network.sampledTicks = 3;
  network.inputActivity = {{7}};
  network.populationActivity = {{7}, {7}};
  return network;
}

struct Priced {
  Target target;
  ChipModel model{target};
  StepGraph graph;
  explicit Priced(const MapNetwork &network,
                  const std::vector<std::vector<uint32_t>> &starts,
                  Target chip = Target::load("tiny"))
      : target(std::move(chip)),
        graph(buildStepGraph(network, target.synapses, starts, model)) {}
  Evaluation on(const std::vector<uint32_t> &cores, Loads *loads = nullptr) {
    return evaluate(graph, cores, target, model, nullptr, loads);
  }
};

TEST(Evaluation, TheRelayTakesWhatItsReadmeWorksOut) {
  Priced relayed(relay(), {{0, 1}, {0, 1}});
  Evaluation found = relayed.on({0, 1});
  EXPECT_EQ(relayed.graph.steps, 5u);
  EXPECT_TRUE(relayed.graph.sampled);
  EXPECT_DOUBLE_EQ(found.stepPs, 600900.0 / 5);
  EXPECT_DOUBLE_EQ(found.barrierPs, 110000);
  // Three messages from the host, three from a to b, three to the host.
  EXPECT_DOUBLE_EQ(found.messages * 5, 9);
  // a is on tile 0; b, and so its way to the host, is one hop east.
  EXPECT_DOUBLE_EQ(found.hopsEw * 5, 6);
  EXPECT_DOUBLE_EQ(found.hopsNs, 0);
  EXPECT_DOUBLE_EQ(found.messagePj * 5, 9 * 60);
  EXPECT_DOUBLE_EQ(found.hopPj * 5, 6 * 4);
  EXPECT_DOUBLE_EQ(found.staticPj, 10e-3 * found.stepPs);
  EXPECT_EQ(found.cores, 2u);
  EXPECT_EQ(found.tiles, 2u);
}

// Core 1 is beside core 4 of the other chip. A message from the host to a takes
// 0.3 + 8.0 and 0.85 to serve; one from a to b 2.8 + 1.5 + 40 + 2.5 and 0.85;
// one from b to the host 2.8 + 1.5 + 40 + 4 + 2.5. All in ns.
TEST(Evaluation, TheRelayOnTwoChips) {
  Priced relayed(relay(), {{0, 1}, {0, 1}}, twoTinyChips());
  Evaluation found = relayed.on({1, 4});
  EXPECT_DOUBLE_EQ(found.barrierPs, 100000 + 7000);
  EXPECT_DOUBLE_EQ(found.stepPs, (9150.0 + 47650 + 3 * 50800 + 5 * 107000) / 5);
  EXPECT_DOUBLE_EQ(found.hopsEw * 5, 3 + 3); // host to a; b to host
  EXPECT_DOUBLE_EQ(found.crossings * 5, 3 + 3);
  EXPECT_DOUBLE_EQ(found.staticPj, 2 * 10e-3 * found.stepPs);
  EXPECT_EQ(found.chips, 2u);
  EXPECT_EQ(relayed.on({0, 1}).chips, 1u);
  EXPECT_DOUBLE_EQ(relayed.on({0, 1}).stepPs, 600900.0 / 5);
}

TEST(Evaluation, WorkIsPricedOnce) {
  Priced relayed(relay(), {{0, 1}, {0, 1}});
  // Each of two neurons updates three times and fires each time. Six lists of
  // one synapse and one word are served.
  const Prices &prices = relayed.model.prices;
  const double synapses = 6 * (prices.synop + prices.word);
  const double spikes = 6 * prices.spike;
  const double updates = 6 * prices.updateActive;
  EXPECT_NEAR(relayed.on({0, 0}).workPj * 5, synapses + spikes + updates, 1e-6);
  EXPECT_DOUBLE_EQ(relayed.on({0, 0}).workPj, relayed.on({0, 1}).workPj);
}

TEST(Evaluation, SpikesInOneStepCostMoreTimeThanSpreadOnes) {
  // Two sources of the same rate, together or in turn; the target serves them
  // in the same step or one in each.
  auto made = [](uint64_t first, uint64_t second) {
    MapNetwork network;
    addInput(network, "in", 2);
    addPopulation(network, "a", 16);
    dense(network, true, 0, 0);
    network.samples = 1;
    network.sampledTicks = 2;
    network.inputActivity = {{first, second}};
    network.populationActivity = {std::vector<uint64_t>(16, 0)};
    return network;
  };
  Priced together(made(1, 1), {{0, 16}}), inTurn(made(1, 2), {{0, 16}});
  auto served = [](Priced &priced) {
    double most = 0;
    for (float time : priced.graph.receive)
      most = std::max(most, double(time));
    return most;
  };
  EXPECT_DOUBLE_EQ(served(together), 2 * served(inTurn));
}

TEST(Evaluation, InactiveNeuronsAreVisitedMoreCheaply) {
  MapNetwork network;
  addInput(network, "in", 2);
  addPopulation(network, "a", 2);
  network.populations[0].schedule.phase = 1;
  oneToOne(network, true, 0, 0);
  network.samples = 1;
  network.sampledTicks = 4;
  network.inputActivity = {{0b0100, 0}};
  network.populationActivity = {{0, 0}};
  Target target = Target::load("tiny");
  ChipModel model(target);
  StepClock clock(network);
  Visits visits(network, clock, model);
  Visits::Load load = visits.of(0, 0, 2);
  // What comes in tick 2 is there in tick 2 of the next phase, and stays.
  EXPECT_DOUBLE_EQ(load.time[0], 2000);
  EXPECT_DOUBLE_EQ(load.time[1], 2000);
  EXPECT_DOUBLE_EQ(load.time[2], 3000);
  EXPECT_DOUBLE_EQ(load.time[3], 3000);
  EXPECT_DOUBLE_EQ(visits.meanTime(0, 0), 1500);
  EXPECT_DOUBLE_EQ(visits.meanTime(0, 1), 1000);
}

TEST(Evaluation, GoalsWithoutPricesAreTime) {
  Evaluation one;
  one.stepPs = 2000;
  one.workPj = 5;
  one.cores = 3;
  EXPECT_DOUBLE_EQ(one.value(Goal::Time, true), 2000);
  EXPECT_DOUBLE_EQ(one.value(Goal::Energy, true), 5);
  EXPECT_DOUBLE_EQ(one.value(Goal::Balanced, true), 10000);
  EXPECT_DOUBLE_EQ(one.value(Goal::Balanced, false), 2000);
  EXPECT_DOUBLE_EQ(one.value(Goal::Energy, false), 2000);
  Evaluation other = one;
  other.cores = 4;
  other.stepPs = 1;
  EXPECT_LT(one.value(Goal::Cores, true), other.value(Goal::Cores, true));
}

TEST(Evaluation, LoadsNameCoresAndLinks) {
  Priced relayed(relay(), {{0, 1}, {0, 1}});
  Loads loads;
  relayed.on({0, 1}, &loads);
  ASSERT_EQ(loads.cores.size(), 2u);
  EXPECT_EQ(loads.cores[0].core, 0u);
  EXPECT_GT(loads.cores[1].receivePs, 0);
  ASSERT_EQ(loads.links.size(), 2u); // east to b, west to the host
  EXPECT_EQ(loads.links[0].link.direction, Direction::East);
  EXPECT_DOUBLE_EQ(loads.links[0].messages * 5, 3);
}

// Every neuron emits in every step, a source of `a` to both of `b`. In cycles
// of 16 ns: 4 for each of 1024 slots, 3 for each spike of a core, 6 for each
// synapse on it; then 37 for each spike of the chip, 1 for each of its 16 cores
// and 1, or 2 and 1 for each synapse between cores; 9 at the end.
TEST(Evaluation, SerialPhasesFollowEachOther) {
  MapNetwork network;
  const uint32_t a = addPopulation(network, "a", 2);
  const uint32_t b = addPopulation(network, "b", 2);
  connect(network, false, a, b, [](uint32_t, uint32_t) { return 5; });
  const Target target = Target::load("catalyst-n1");
  const ChipModel model(target);
  const StepGraph graph =
      buildStepGraph(network, target.synapses, {{0, 2}, {0, 2}}, model);
  auto cycles = [&](const std::vector<uint32_t> &cores) {
    return evaluate(graph, cores, target, model).stepPs / 16000;
  };
  const double slots = 4 * 1024, chip = 4 * 37 + 16, end = 9;
  EXPECT_NEAR(cycles({0, 0}), slots + 4 * 3 + 4 * 6 + chip + 1 + end, 1e-3);
  EXPECT_NEAR(cycles({0, 1}), slots + 2 * 3 + chip + 2 + 4 + end, 1e-3);
}

} // namespace

// compiler/mapping/objective/: loads of links, by direction and step.

namespace {

TEST(LinkLoads, AreThoseOfTheRoute) {
  const Target target = Target::load("loihi1");
  LinkLoads links(target.mesh, 2);
  const float messages[] = {4, 2}, more[] = {0, 10};
  links.add(0, 9, messages, 1); // east, then south
  links.add(0, 1, more, 0.5);   // east
  const std::vector<LinkLoad> found = links.list();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].link.from, 0u);
  EXPECT_EQ(found[0].link.to, 1u);
  EXPECT_EQ(found[0].link.direction, Direction::East);
  EXPECT_DOUBLE_EQ(found[0].messages, (4 + 2 + 5) / 2.0);
  EXPECT_EQ(found[1].link.from, 1u);
  EXPECT_EQ(found[1].link.to, 9u);
  EXPECT_EQ(found[1].link.direction, Direction::South);
  EXPECT_DOUBLE_EQ(links.busiest(), 5.5);
}

TEST(LinkLoads, ALinkTakesItsIntervalForEachFlit) {
  const Target target = Target::load("loihi1");
  const NocTiming noc = target.timing("davies2018").noc;
  LinkLoads links(target.mesh, 2);
  const float messages[] = {4, 2};
  links.add(0, 1, messages, 1);
  const std::vector<double> times = links.times(noc);
  EXPECT_DOUBLE_EQ(times[0], 4 * double(noc.east.interval));
  EXPECT_DOUBLE_EQ(times[1], 2 * double(noc.east.interval));
}

} // namespace
