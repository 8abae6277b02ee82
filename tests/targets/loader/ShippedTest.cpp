// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/Target.cpp, targets/loader/price/CostTable.cpp.
// The chips that ship with the project: they load, and their numbers are those
// of the sources.

#include "targets/loader/files/Discovery.h"
#include "targets/loader/price/CostFiles.h"
#include "targets/mesh/Routing.h"
#include "tests/targets/Support.h"

#include <cstdlib>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(Shipped, EveryTargetLoadsWithEveryCostTable) {
  EXPECT_EQ(listTargets(),
            (std::vector<std::string>{
                "catalyst-n1", "ideal", "loihi1", "loihi1-study", "loihi2",
                "loihi2-binary", "morphic", "netx", "odin", "ranc",
                "spinnaker2", "tiny", "tinyodin", "truenorth"}));
  for (const std::string &name : listTargets()) {
    Target target = Target::load(name);
    EXPECT_EQ(target.name, name);
    EXPECT_EQ(target.timing().name, target.defaultTiming);
    EXPECT_FALSE(listCostTables(target).empty());
    for (const std::string &costs : listCostTables(target)) {
      CostTable table = CostTable::load(costs, target);
      EXPECT_EQ(table.name, costs);
      for (const std::string &event : target.events())
        EXPECT_NE(table.find(event), nullptr) << event;
    }
    if (target.costBand) {
      auto [low, high] = CostTable::loadBand(target);
      EXPECT_TRUE(low.matches(target.timing()));
      EXPECT_TRUE(high.matches(target.timing()));
      continue;
    }
    CostTable byDefault = CostTable::load("", target);
    EXPECT_EQ(byDefault.name, target.defaultCosts);
    EXPECT_EQ(byDefault.band, BandEnd::None);
    EXPECT_TRUE(byDefault.matches(target.timing()));
  }
}

TEST(Shipped, EveryNumberHasASource) {
  for (const std::string &name : listTargets()) {
    Target target = Target::load(name);
    for (const Record &record : target.records)
      EXPECT_TRUE(!record.source.empty() || record.value == "unlimited")
          << record.name;
    for (const TimingSet &set : target.timings)
      for (const Record &record : set.records)
        EXPECT_FALSE(record.source.empty()) << record.name;
  }
}

TEST(Loihi1, LimitsAndFormats) {
  Target chip = Target::load("loihi1");
  EXPECT_EQ(chip.numTiles(), 32u);
  EXPECT_EQ(chip.numCores(), 128u);
  EXPECT_EQ(chip.limits.compartmentsPerCore, 1024u);
  EXPECT_EQ(*chip.limits.synapseMemoryWords * chip.synapses.wordBits, 1048576u);
  EXPECT_EQ(chip.limits.inAxons, 4096u);
  EXPECT_EQ(chip.limits.outAxons, 4096u);
  EXPECT_EQ(chip.limits.maxDelay, 62u);
  EXPECT_EQ(chip.formats.weightMagnitudeMax(), 255);
  EXPECT_EQ(chip.formats.biasMantissaMax() << chip.formats.biasExponentMax,
            524160);
  EXPECT_EQ(chip.formats.thresholdMantissaMax() << chip.formats.thresholdShift,
            8388544);
  EXPECT_EQ(chip.formats.stateMax(), (1 << 23) - 1);
  EXPECT_EQ(chip.formats.decayMax(), 4095);
  EXPECT_TRUE(chip.spikes.binary);
  EXPECT_FALSE(chip.spikes.graded);
  EXPECT_TRUE(chip.engines.has("cuba"));
  EXPECT_FALSE(chip.engines.has("microcode"));
  EXPECT_TRUE(chip.engines.hasJoin("pass"));
  EXPECT_EQ(chip.scheduling.gatingKind, Provenance::Assumed);
  EXPECT_EQ(chip.scheduling.groupStartKind, Provenance::Assumed);
}

TEST(Loihi1, CoordinatesAndHops) {
  Target chip = Target::load("loihi1");
  EXPECT_EQ(chip.tileOf(3), 0u);
  EXPECT_EQ(chip.tileOf(4), 1u);
  EXPECT_EQ(chip.coreXY(127).x, 7u);
  EXPECT_EQ(chip.coreXY(127).y, 3u);
  EXPECT_EQ(chip.coreXY(4 * 8).x, 0u);
  EXPECT_EQ(chip.coreXY(4 * 8).y, 1u);
  Hops there = hopsBetween(chip.coreXY(0), chip.coreXY(127)),
       back = hopsBetween(chip.coreXY(127), chip.coreXY(0));
  EXPECT_EQ(there.ew, 7u);
  EXPECT_EQ(there.ns, 3u);
  EXPECT_EQ(back.ew, 7u);
  EXPECT_EQ(back.ns, 3u);
  EXPECT_EQ(hopsBetween(chip.coreXY(0), chip.coreXY(3)).total(), 0u);
}

TEST(Loihi1, BarrierOfTheTable) {
  Target chip = Target::load("loihi1");
  const BarrierTiming &line = chip.timing("davies2018").barrier;
  EXPECT_EQ(line.time(1), 113000u);
  EXPECT_EQ(line.time(2), 113000u + 11354u); // floor(352000 / 31)
  EXPECT_EQ(line.time(32), 465000u);
  EXPECT_EQ(line.time(0), line.time(1));
  const BarrierTiming &steps = chip.timing("silicon-fit-2025").barrier;
  EXPECT_EQ(steps.time(1), 600000u);
  EXPECT_EQ(steps.time(2), 1000000u);
  EXPECT_EQ(steps.time(3), 1400000u);
  EXPECT_EQ(steps.time(4), 1400000u);
  EXPECT_EQ(steps.time(5), 1800000u);
  EXPECT_EQ(steps.time(29), 1800000u);
  EXPECT_EQ(steps.time(32), 1800000u);
}

TEST(Loihi1, MessageTimesOfThePaper) {
  const NocTiming noc = Target::load("loihi1").timing().noc;
  EXPECT_EQ(noc.local.inject + noc.local.eject, 2100u);
  EXPECT_EQ(noc.east.forward, 4100u);
  EXPECT_EQ(noc.west.forward, 4100u);
  EXPECT_EQ(noc.north.forward, 6500u);
  EXPECT_EQ(noc.south.forward, 6500u);
  // 3.44 spikes per ns cross a tile, half of them in each direction.
  EXPECT_EQ(noc.east.interval, (2 * 100000u + 343) / 344);
  // The buffers must not be what limits that rate.
  EXPECT_GE(noc.north.buffer * noc.north.interval,
            noc.north.forward + noc.north.credit);
}

TEST(Loihi1, PricesOfBothTables) {
  Target chip = Target::load("loihi1");
  CostTable paper = CostTable::load("davies2018", chip);
  EXPECT_EQ(paper.find("synops.sparse")->value, 23.6);
  EXPECT_EQ(paper.find("synops.sparse")->bound, PriceBound::Min);
  EXPECT_EQ(paper.find("hops_ns")->value, 4.0);
  EXPECT_EQ(paper.find("hops_ns")->bound, PriceBound::None);
  EXPECT_EQ(paper.find("hops_ns")->kind, Provenance::PreSilicon);
  EXPECT_EQ(paper.find("messages")->form, Price::Decision::Inside);
  EXPECT_EQ(paper.find("messages")->inside, "within_tile");
  EXPECT_EQ(paper.find("join_ops.max")->inside, "neuron_updates_active");
  EXPECT_EQ(paper.find("barriers")->form, Price::Decision::Unpriced);
  EXPECT_EQ(paper.find("no_such_event"), nullptr);
  EXPECT_EQ(paper.staticPower->milliwatts, 104);
  EXPECT_NE(paper.citation("davies2018").find("82-99"), std::string::npos);

  CostTable fit = CostTable::load("silicon-fit-2025", chip);
  EXPECT_EQ(fit.find("synops.conv")->value, 24.0);
  EXPECT_EQ(fit.find("spikes.binary")->value, 69.3);
  EXPECT_EQ(fit.find("axon_reads")->form, Price::Decision::Priced);
  EXPECT_EQ(fit.find("axon_reads")->value, 0);
  EXPECT_EQ(fit.find("within_tile")->inside, "messages");
  EXPECT_EQ(fit.staticPower->kind, Provenance::Inherited);
  EXPECT_FALSE(fit.matches(chip.timing("davies2018")));
  EXPECT_TRUE(fit.matches(chip.timing("silicon-fit-2025")));
}

TEST(Ideal, HasNoLimitsNoPricesNoTime) {
  Target ideal = Target::load("ideal");
  EXPECT_EQ(ideal.numCores(), 1u);
  EXPECT_EQ(ideal.limits.compartmentsPerCore, std::nullopt);
  EXPECT_EQ(ideal.limits.maxDelay, std::nullopt);
  EXPECT_TRUE(ideal.spikes.graded && ideal.spikes.sign);
  EXPECT_EQ(ideal.timing().barrier.time(1), 0u);
  CostTable none = CostTable::load("", ideal);
  for (const std::string &event : ideal.events())
    EXPECT_EQ(none.find(event)->form, Price::Decision::Unpriced) << event;
  EXPECT_EQ(none.staticPower, std::nullopt);
}

TEST(Tiny, CanBePricedByAnotherChipsTable) {
  Target tiny = Target::load("tiny");
  std::string file = Target::load("loihi1").filename;
  file.replace(file.rfind("chip.yaml"), 9, "costs-davies2018.yaml");
  const CostTable table = CostTable::load(file, tiny);
  EXPECT_EQ(table.find("within_tile")->value, 1.7);
  // Its tiles are smaller and so are the links between them: 86 of 1281 um.
  EXPECT_NEAR(table.find("hops_ew")->value, 3.0 * 86 / 1281, 1e-9);
}

TEST(Events, FollowWhatTheChipCanDo) {
  auto has = [](const Target &target, const std::string &event) {
    auto events = target.events();
    return std::count(events.begin(), events.end(), event) == 1;
  };
  EXPECT_FALSE(has(Target::load("loihi1"), "spikes.graded"));
  EXPECT_TRUE(has(Target::load("loihi1"), "spikes.binary"));
  EXPECT_TRUE(has(Target::load("ideal"), "spikes.graded"));
  for (const char *event : {"spikes.unary", "ssf_rungs", "microcode.load",
                            "microcode.emit", "microcode.issue"}) {
    EXPECT_TRUE(has(Target::load("ideal"), event)) << event;
    EXPECT_TRUE(has(Target::load("loihi2"), event)) << event;
    EXPECT_FALSE(has(Target::load("loihi1"), event)) << event;
    EXPECT_FALSE(has(Target::load("tiny"), event)) << event;
  }
  // Rungs are one event, not two.
  EXPECT_TRUE(eventLeaves("microcode.ladder").empty());
  EXPECT_EQ(eventLeaves("microcode").size(), kMicroClasses);
  EXPECT_TRUE(has(Target::load("loihi2"), "spikes.graded"));
  EXPECT_FALSE(has(Target::load("loihi2-binary"), "spikes.graded"));
  EXPECT_FALSE(has(Target::load("loihi2"), "join_ops.add"));
  EXPECT_EQ(eventLeaves("synops"),
            (std::vector<std::string>{"synops.dense", "synops.sparse",
                                      "synops.conv"}));
  EXPECT_EQ(eventLeaves("hops_ew"), std::vector<std::string>{"hops_ew"});
  EXPECT_TRUE(eventLeaves("hops").empty());
}

} // namespace
