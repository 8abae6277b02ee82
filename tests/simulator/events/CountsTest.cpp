// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A two-core scenario small enough to count, price and route by hand.
//
//   step 0: in 0 and in 1 enter (tick 0).
//   step 1: in 1 enters (tick 1). `a` tick 0: a0 gets 100, fires; a1 gets 50.
//   step 2: `a` tick 1: a0 gets a stored zero; a1 reaches 100, fires.
//           `b` tick 0: b1 gets 70, fires; b0 is untouched.
//   step 3: `b` tick 1: both get 10.

#include "simulator/Run.h"
#include "simulator/energy/Energy.h"
#include "targets/support/Error.h"
#include "tests/simulator/ProgramBuilder.h"
#include "tests/simulator/events/ExpectCounts.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace dendrolith::sim {
namespace {

using namespace dendrolith::test;
using C = Counter;

image::Program fourNeurons() {
  ProgramBuilder b(/*period=*/1, /*depth=*/3);
  b.population("a", 2, 1).population("b", 2, 2).binaryInput("in", 2, 0);
  b.group(0, "a", 0, 2, cuba(60)).group(3, "b", 0, 2, cuba(60));
  b.connect("in", 0, 0, b.axon(0, 0, {100, 0}, {}, 0, 0, 1));
  b.connect("in", 1, 0, b.axon(0, 0, {0, 50}, {}, 0, 0, 1));
  b.connect("a", 0, 3, b.axon(3, 0, {70}, {1}, 0, 0, 2)); // sparse: b1
  b.connect("a", 1, 3, b.axon(3, 0, {10, 10}, {}, 0, 0, 1));
  b.output("out", "b", "s");
  b.output("membrane", "a", "v");
  return b.build();
}

RunResult runFourNeurons() {
  return runFunctional(fourNeurons(), mesh(2, 2),
                       {{"in", samples({{{1, 1}, {0, 1}}})}}, {});
}

TEST(Counts, TwoCoresByHand) {
  Counts counts = runFourNeurons().counts;
  expectCounts(
      "chip", counts.chip,
      {{C::Steps, 4}, {C::Tokens, 2}, {C::Barriers, 4}, {C::Resets, 1}});
  expectCounts("host", counts.host,
               {{C::Inputs, 3},
                {C::Messages, 3},
                {C::Flits, 3},
                {C::HostMessages, 3},
                {C::HostFlits, 3}});
  ASSERT_EQ(counts.cores.size(), 2u);
  expectCounts("core 0", counts.cores.at(0),
               {{C::SpikesBinary, 2},
                {C::Outputs, 1}, // v of a1 after tick 0
                {C::Messages, 3},
                {C::Flits, 3},
                {C::HopsEw, 2},
                {C::HopsNs, 2},
                {C::HostMessages, 1},
                {C::HostFlits, 1},
                {C::WithinTile, 3},
                {C::AxonReads, 3},
                {C::SynmemWords, 3},
                {C::SynopsDense, 6},
                {C::UpdatesActive, 4}});
  expectCounts("core 3", counts.cores.at(3),
               {{C::SpikesBinary, 1},
                {C::Outputs, 1},
                {C::Messages, 1},
                {C::Flits, 1},
                {C::HopsEw, 1},
                {C::HopsNs, 1},
                {C::HostMessages, 1},
                {C::HostFlits, 1},
                {C::HostHopsEw, 1},
                {C::HostHopsNs, 1},
                {C::WithinTile, 2},
                {C::AxonReads, 2},
                {C::SynmemWords, 3},
                {C::SynopsDense, 2},
                {C::SynopsSparse, 1},
                {C::UpdatesActive, 3},
                {C::UpdatesInactive, 1}});
  EXPECT_EQ(counts.tiles, 2u);
  // East first, then south; back west first, then north.
  EXPECT_EQ(counts.links, (std::vector<LinkCount>{
                              {0, 1, 2}, {1, 3, 2}, {2, 0, 1}, {3, 2, 1}}));
}

TEST(Counts, OutputsOfTheScenario) {
  RunResult result = runFourNeurons();
  EXPECT_EQ(result.steps, 4u);
  ASSERT_EQ(result.outputs.size(), 2u);
  EXPECT_EQ(result.outputs[0].values, (std::vector<double>{0, 1, 0, 0}));
  EXPECT_TRUE(result.outputs[0].integer);
  EXPECT_EQ(result.outputs[1].values, (std::vector<double>{0, 50, 0, 0}));
  EXPECT_FALSE(result.outputs[1].integer);
}

/// A price list with one entry per form.
CostTable smallTable() {
  auto priced = [](double value, PriceBound bound = PriceBound::None) {
    return Price{Price::Decision::Priced, value, "",
                 Provenance::Assumed,     bound, "us"};
  };
  auto inside = [](const char *event) {
    return Price{Price::Decision::Inside, 0,   event, Provenance::Assumed,
                 PriceBound::None,        "us"};
  };
  CostTable table;
  table.name = "small";
  table.sources = {{"us", "made up"}};
  for (const std::string &event : allEvents())
    table.prices.emplace_back(event, Price{});
  auto set = [&](const std::string &event, const Price &price) {
    for (auto &entry : table.prices)
      if (entry.first == event || entry.first.rfind(event + ".", 0) == 0)
        entry.second = price;
  };
  set("synops.dense", priced(10, PriceBound::Min));
  set("synops.sparse", priced(20));
  set("synmem_words", inside("synops"));
  set("neuron_updates_active", priced(2));
  set("neuron_updates_inactive", priced(1));
  set("spikes", inside("neuron_updates_active"));
  set("messages", priced(5));
  set("within_tile", inside("messages"));
  set("hops_ew", priced(3));
  set("hops_ns", priced(4));
  set("axon_reads", priced(0));
  table.staticPower = StaticPower{104, Provenance::Derived, "us"};
  return table;
}

TEST(Energy, TwoCoresByHand) {
  Counts counts = runFourNeurons().counts;
  Energy energy = price(counts, smallTable(), /*timePs=*/1000000);
  // 8 dense, 1 sparse, 7 active, 1 inactive, 7 messages, 3 + 3 hops.
  EXPECT_DOUBLE_EQ(energy.total, 80 + 20 + 14 + 1 + 35 + 9 + 12);
  EXPECT_EQ(energy.bound, ">=");
  EXPECT_EQ(energy.unpriced, (std::vector<std::string>{"barriers", "resets"}));
  EXPECT_DOUBLE_EQ(energy.staticEnergy.value(), 104000); // 104 mW for 1 us
  double sum = 0;
  for (const EventEnergy &event : energy.events)
    sum += event.energy;
  EXPECT_DOUBLE_EQ(sum, energy.total);
  EXPECT_FALSE(price(counts, smallTable(), 0).staticEnergy);
}

TEST(Energy, ABoundCountsOnlyWhereSomethingHappened) {
  CostTable table = smallTable();
  EXPECT_EQ(price(Counts(), table, 0).bound, "=");
  EXPECT_TRUE(price(Counts(), table, 0).unpriced.empty());
  Counts counts;
  counts.cores[0][C::SynopsSparse] = 1;
  EXPECT_EQ(price(counts, table, 0).bound, "=");
  for (auto &entry : table.prices)
    if (entry.first == "synops.sparse")
      entry.second.bound = PriceBound::Max;
  EXPECT_EQ(price(counts, table, 0).bound, "<=");
  counts.cores[0][C::SynopsDense] = 1;
  EXPECT_EQ(price(counts, table, 0).bound, "~");
}

TEST(Energy, EventsWithoutADecisionAreUnpriced) {
  CostTable table = smallTable();
  table.prices.erase(table.prices.begin()); // synops.dense
  Counts counts;
  counts.cores[0][C::SynopsDense] = 3;
  counts.cores[0][C::SsfRungs] = 1;
  Energy energy = price(counts, table, 0);
  EXPECT_EQ(energy.total, 0);
  EXPECT_EQ(energy.unpriced,
            (std::vector<std::string>{"synops.dense", "ssf_rungs"}));
}

// Both published tables of Loihi 1, summed by hand.
TEST(Energy, TwoCoresUnderTheTablesOfLoihi1) {
  Target loihi = Target::load("loihi1");
  Counts counts = runFourNeurons().counts;
  Energy davies = price(counts, CostTable::load("davies2018", loihi), 0);
  EXPECT_NEAR(davies.total,
              9 * 23.6 + 7 * 81 + 52 + 5 * 1.7 + 3 * 3.0 + 3 * 4.0, 1e-9);
  EXPECT_EQ(davies.bound, ">="); // 23.6 pJ is a published minimum
  Energy fitted = price(counts, CostTable::load("silicon-fit-2025", loihi), 0);
  EXPECT_NEAR(fitted.total,
              8 * 35.5 + 33.6 + 7 * 72.8 + 51.2 + 3 * 69.3 + 7 * 111 + 3 * 3.0 +
                  3 * 4.2,
              1e-9);
  EXPECT_EQ(fitted.bound, ">="); // barriers and resets have no price
}

TEST(Energy, TextAndJsonSayTheSame) {
  Energy energy = price(runFourNeurons().counts, smallTable(), 1000000);
  std::string text = formatEnergy(energy);
  EXPECT_NE(text.find("total of events (small): >= 171 pJ"), std::string::npos)
      << text;
  EXPECT_NE(text.find("partial, unpriced: barriers, resets"),
            std::string::npos);
  EXPECT_NE(text.find("in neuron_updates_active"), std::string::npos);
  EXPECT_NE(text.find("us: made up"), std::string::npos);
  EXPECT_EQ(text.find("synops.conv"), std::string::npos); // did not happen
  auto json = toJson(energy);
  EXPECT_EQ(json["total_pJ"], 171);
  EXPECT_EQ(json["bound"], ">=");
  EXPECT_EQ(json["static_pJ"], 104000);
  EXPECT_EQ(json["by_event"]["synops.dense"]["count"], 8);
  EXPECT_EQ(json["by_event"]["synops.dense"]["price_pJ"], 10);
  EXPECT_EQ(json["by_event"]["synops.dense"]["energy_pJ"], 80);
  EXPECT_EQ(json["by_event"]["spikes.binary"]["in"], "neuron_updates_active");
  EXPECT_TRUE(json["by_event"]["barriers"]["price_pJ"].is_null());
  EXPECT_EQ(json["unpriced"].size(), 2u);
}

TEST(Counts, MergeAddsRunsAndDifferenceNamesTheFirst) {
  Counts one = runFourNeurons().counts, two = one;
  two.merge(one);
  EXPECT_EQ(two.total()[C::SynopsDense], 16u);
  EXPECT_EQ(two.tiles, 2u);
  EXPECT_EQ(two.links[0].flits, 4u);
  EXPECT_EQ(one.difference(one), "");
  EXPECT_EQ(one.difference(two), "chip steps: 4 and 8");
  Counts three = one;
  three.cores[3][C::SynopsSparse] = 7;
  EXPECT_EQ(one.difference(three), "core 3 synops.sparse: 1 and 7");
}

TEST(Counts, BeyondSixtyFourBitsAreRefusedByName) {
  const uint64_t half = uint64_t(1) << 63;
  CoreCounts counts;
  counts.add(C::SynmemWords, half / 4, 4);
  counts.add(C::SynmemWords, half - 1, 1);
  EXPECT_EQ(counts[C::SynmemWords], UINT64_MAX);
  auto refused = [](auto count) -> std::string {
    try {
      count();
    } catch (const Error &error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string expected = "counts: expected less than 2^64 of "
                               "'synmem_words', found more; run fewer samples";
  EXPECT_EQ(refused([&] { counts.add(C::SynmemWords, 1, 1); }), expected);
  CoreCounts large;
  EXPECT_EQ(refused([&] { large.add(C::SynmemWords, half, 2); }), expected);
  Counts run; // each core fits, the chip does not
  run.cores[0] = run.cores[1] = CoreCounts();
  run.cores[0].add(C::SynmemWords, half, 1);
  run.cores[1].add(C::SynmemWords, half, 1);
  EXPECT_EQ(refused([&] { run.total(); }), expected);
  EXPECT_EQ(refused([&] { Counts(run).merge(run); }), expected);
}

} // namespace

// Three populations on two cores, `a` and `b` on one of them, small enough to
// say by hand what each of them causes. Core 0 is on tile 0, as the host is,
// core 3 on tile 3, one hop east and one south.
//
//   step 0: in 0 and in 1 enter (tick 0).
//   step 1: in 1 enters (tick 1). `a` tick 0: a0 gets 100, fires; a1 gets 50.
//           `b` tick 0: b0 gets 50, fires.
//   step 2: `a` tick 1: a0 gets a stored zero; a1 reaches 105, fires.
//           `b` tick 1: u of b0 is not 0 yet.
//           `c` tick 0: c1 gets 70 + 20, fires; c0 gets 20.
//   step 3: `c` tick 1: both get 10.

namespace {

using namespace dendrolith::test;
using C = Counter;

RunResult attributedRun(bool multicast = false) {
  ProgramBuilder b(/*period=*/1, /*depth=*/3);
  b.population("a", 2, 1).population("b", 1, 1).population("c", 2, 2);
  b.binaryInput("in", 2, 0);
  b.group(0, "a", 0, 2, cuba(60)).group(0, "b", 0, 1, cuba(40));
  b.group(3, "c", 0, 2, cuba(60));
  b.connect("in", 0, 0, b.axon(0, 0, {100, 0}, {}, 0, 0, 1));
  b.connect("in", 0, 0, b.axon(0, 2, {50}, {}, 0, 0, 2)); // b0
  b.connect("in", 1, 0, b.axon(0, 0, {0, 50}, {}, 0, 0, 1));
  b.connect("a", 0, 3, b.axon(3, 0, {70}, {1}, 0, 0, 2)); // sparse: c1
  b.connect("a", 1, 3, b.axon(3, 0, {10, 10}, {}, 0, 0, 1));
  b.connect("b", 0, 0, b.axon(0, 0, {5}, {1}, 0, 0, 1)); // sparse: a1
  b.connect("b", 0, 3, b.axon(3, 0, {20, 20}, {}, 0, 0, 1));
  b.output("out", "c", "s");
  b.output("membrane", "a", "v"); // a1 after tick 0
  Target target = mesh(2, 2);
  target.mesh.multicast = multicast;
  return runFunctional(b.build(), target, {{"in", samples({{{1, 1}, {0, 1}}})}},
                       {});
}

TEST(Attribution, LayersByHand) {
  const RunResult result = attributedRun();
  const Attribution &by = result.attribution;
  expectCounts(
      "chip", by.chip,
      {{C::Steps, 4}, {C::Tokens, 2}, {C::Barriers, 4}, {C::Resets, 1}});
  ASSERT_EQ(by.layers.size(), 4u);
  EXPECT_EQ(by.layers[0].name, "in");
  EXPECT_TRUE(by.layers[0].isInput);
  EXPECT_EQ(by.layers[0].neurons, 2u);
  expectCounts("in", by.layers[0].counts,
               {{C::Inputs, 3},
                {C::Messages, 4},
                {C::Flits, 4},
                {C::HostMessages, 4},
                {C::HostFlits, 4},
                {C::WithinTile, 4}});
  EXPECT_EQ(by.layers[1].name, "a");
  EXPECT_FALSE(by.layers[1].isInput);
  expectCounts("a", by.layers[1].counts,
               {{C::SpikesBinary, 2},
                {C::UpdatesActive, 4},
                {C::Outputs, 1},
                {C::Messages, 3}, // two to c, one to the host
                {C::Flits, 3},
                {C::HopsEw, 2},
                {C::HopsNs, 2},
                {C::HostMessages, 1},
                {C::HostFlits, 1},
                {C::WithinTile, 2},
                {C::AxonReads, 4}, // three from in, one from b
                {C::SynmemWords, 4},
                {C::SynopsDense, 6},
                {C::SynopsSparse, 1}});
  EXPECT_EQ(by.layers[2].name, "b");
  expectCounts("b", by.layers[2].counts,
               {{C::SpikesBinary, 1},
                {C::UpdatesActive, 2},
                {C::Messages, 2},
                {C::Flits, 2},
                {C::HopsEw, 1},
                {C::HopsNs, 1},
                {C::WithinTile, 2},
                {C::AxonReads, 1},
                {C::SynmemWords, 2},
                {C::SynopsDense, 1}});
  EXPECT_EQ(by.layers[3].name, "c");
  expectCounts("c", by.layers[3].counts,
               {{C::SpikesBinary, 1},
                {C::UpdatesActive, 4},
                {C::Outputs, 1},
                {C::Messages, 1},
                {C::Flits, 1},
                {C::HopsEw, 1},
                {C::HopsNs, 1},
                {C::HostMessages, 1},
                {C::HostFlits, 1},
                {C::HostHopsEw, 1},
                {C::HostHopsNs, 1},
                {C::AxonReads, 3},
                {C::SynmemWords, 4},
                {C::SynopsDense, 4},
                {C::SynopsSparse, 1}});
  EXPECT_TRUE(by.total() == result.counts.total());
}

TEST(Attribution, FlowsByHand) {
  const Attribution by = attributedRun().attribution;
  struct Flow {
    uint32_t source, target;
    ExpectedCounts counts;
  };
  constexpr uint32_t in = 0, a = 1, b = 2, c = 3, host = FlowCounts::host;
  const std::vector<Flow> expected = {{in,
                                       a,
                                       {{C::Messages, 3},
                                        {C::Flits, 3},
                                        {C::HostMessages, 3},
                                        {C::HostFlits, 3},
                                        {C::WithinTile, 3},
                                        {C::AxonReads, 3},
                                        {C::SynmemWords, 3},
                                        {C::SynopsDense, 6}}},
                                      {in,
                                       b,
                                       {{C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HostMessages, 1},
                                        {C::HostFlits, 1},
                                        {C::WithinTile, 1},
                                        {C::AxonReads, 1},
                                        {C::SynmemWords, 2},
                                        {C::SynopsDense, 1}}},
                                      {a,
                                       c,
                                       {{C::Messages, 2},
                                        {C::Flits, 2},
                                        {C::HopsEw, 2},
                                        {C::HopsNs, 2},
                                        {C::WithinTile, 2},
                                        {C::AxonReads, 2},
                                        {C::SynmemWords, 3},
                                        {C::SynopsDense, 2},
                                        {C::SynopsSparse, 1}}},
                                      {a,
                                       host,
                                       {{C::Outputs, 1},
                                        {C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HostMessages, 1},
                                        {C::HostFlits, 1}}},
                                      {b,
                                       a,
                                       {{C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::WithinTile, 1},
                                        {C::AxonReads, 1},
                                        {C::SynmemWords, 1},
                                        {C::SynopsSparse, 1}}},
                                      {b,
                                       c,
                                       {{C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HopsEw, 1},
                                        {C::HopsNs, 1},
                                        {C::WithinTile, 1},
                                        {C::AxonReads, 1},
                                        {C::SynmemWords, 1},
                                        {C::SynopsDense, 2}}},
                                      {c,
                                       host,
                                       {{C::Outputs, 1},
                                        {C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HopsEw, 1},
                                        {C::HopsNs, 1},
                                        {C::HostMessages, 1},
                                        {C::HostFlits, 1},
                                        {C::HostHopsEw, 1},
                                        {C::HostHopsNs, 1}}}};
  ASSERT_EQ(by.flows.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(by.flows[i].source, expected[i].source) << i;
    EXPECT_EQ(by.flows[i].target, expected[i].target) << i;
    expectCounts("flow " + std::to_string(i), by.flows[i].counts,
                 expected[i].counts);
  }
}

/// A message to `a` and `c` at once belongs to neither flow alone; where it is
/// served it does.
TEST(Attribution, OneMessageToSeveralPopulations) {
  const RunResult result = attributedRun(/*multicast=*/true);
  const Attribution &by = result.attribution;
  EXPECT_TRUE(by.total() == result.counts.total());
  expectCounts("b", by.layers[2].counts,
               {{C::SpikesBinary, 1},
                {C::UpdatesActive, 2},
                {C::Messages, 1},
                {C::Flits, 1},
                {C::HopsEw, 1},
                {C::HopsNs, 1},
                {C::WithinTile, 2},
                {C::AxonReads, 1},
                {C::SynmemWords, 2},
                {C::SynopsDense, 1}});
  bool found = false;
  for (const FlowCounts &flow : by.flows) {
    if (flow.source != 2)
      continue;
    EXPECT_EQ(flow.counts[C::Messages], flow.target == FlowCounts::several);
    EXPECT_EQ(flow.counts[C::WithinTile], flow.target != FlowCounts::several);
    found |= flow.target == FlowCounts::several;
  }
  EXPECT_TRUE(found);
}

} // namespace
} // namespace dendrolith::sim
