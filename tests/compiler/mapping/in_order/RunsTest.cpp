// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/in_order/SliceMeter.cpp,
// compiler/mapping/in_order/Split.cpp. Populations whose neurons run different
// programs: what a core holds, and that slices stay contiguous ranges that
// share their synapse lists.

#include "compiler/mapping/in_order/SliceMeter.h"
#include "compiler/mapping/result/Measure.h"
#include "compiler/mapping/result/SliceGraph.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

MapRun runOf(uint32_t first, uint32_t program, uint64_t words, uint64_t neuron,
             uint64_t slice) {
  MapRun run;
  run.first = first;
  run.program = program;
  run.programWords = words;
  run.neuronBytes = neuron;
  run.sliceBytes = slice;
  return run;
}

/// 10 neurons of 2 accumulators: 3 of program 5, 4 of program 6, 3 of
/// program 5.
MapNetwork threeRuns() {
  MapNetwork network;
  addInput(network, "in", 5);
  addPopulation(network, "p", 10);
  network.populations[0].accumulators = 2;
  network.populations[0].runs = {runOf(0, 5, 11, 100, 7),
                                 runOf(3, 6, 30, 200, 9),
                                 runOf(7, 5, 11, 100, 7)};
  dense(network, true, 0, 0);
  return network;
}

TEST(Runs, CountedByHand) {
  Target target = chip(2, 1 << 16);
  MapNetwork network = threeRuns();
  auto bytesOf = [&](const std::vector<Slice> &slices, uint32_t count) {
    uint64_t list = target.synapses.listWords(ListFormat::Dense, 2 * count, 8) *
                    target.synapses.wordBits / 8;
    std::vector<FitRow> fit = measure(network, target, slices);
    uint64_t axons = 5 * (list + target.memory.inAxonBytes);
    return fit[CoreBytes].used - axons -
           fit[ProgramWords].used * target.memory.instructionBytes;
  };
  auto wordsOf = [&](const std::vector<Slice> &slices) {
    return measure(network, target, slices)[ProgramWords].used;
  };
  // All on one core: each program once, and what its neurons share.
  std::vector<Slice> all = {{0, 0, 10, 0, 0}};
  EXPECT_EQ(wordsOf(all), 11u + 30);
  EXPECT_EQ(bytesOf(all, 10), 600u + 800 + 7 + 9);
  EXPECT_EQ(measure(network, target, all)[InAxons].used, 5u);
  // A slice that ends with a run does not hold the next run's program; core 1
  // holds what is counted, the worst.
  std::vector<Slice> two = {{0, 0, 3, 0, 0}, {0, 3, 7, 1, 0}};
  EXPECT_EQ(wordsOf(two), 11u + 30);
  EXPECT_EQ(bytesOf(two, 7), 300u + 800 + 7 + 9);
  // Slices of one core that touch the same run share its program.
  std::vector<Slice> cut = {{0, 0, 5, 0, 0}, {0, 5, 5, 0, 10}};
  EXPECT_EQ(wordsOf(cut), 11u + 30);
}

TEST(Runs, SplittingAndTheGraphSeeWhatASliceTouches) {
  Target target = chip(4, 1 << 16);
  MapNetwork network = threeRuns();
  EntryBytes bytes(target);
  SliceGraph graph =
      buildSliceGraph(network, target.synapses, {{0, 3, 5, 10}}, bytes);
  const uint64_t words[] = {11, 30, 41};
  for (size_t s = 0; s < 3; ++s)
    EXPECT_EQ(graph.demand[s].sums[ProgramWords], words[s]) << s;
  // Growing neuron by neuron ends with the same demand.
  Capacity capacity(target);
  SliceMeter meter(network, target.synapses, capacity, bytes);
  const uint32_t starts[] = {0, 3, 5, 10};
  for (size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(meter.grow(0, starts[s], starts[s + 1],
                         std::vector<uint32_t>(10, 0), Demand()),
              starts[s + 1] - starts[s]);
    EXPECT_EQ(meter.demand().sums, graph.demand[s].sums) << s;
  }
  // One run's program fits a core of 40 words, both do not.
  target.microcode.programWords = 40;
  Mapping mapping = mapped(network, target);
  for (const Slice &slice : mapping.slices)
    EXPECT_TRUE(slice.first + slice.count <= 3 || slice.first >= 7 ||
                (slice.first >= 3 && slice.first + slice.count <= 7));
  EXPECT_EQ(row(mapping, "program words").used, 30u);
}

TEST(Runs, RefusedByNameWhenTheyAreNoRuns) {
  auto errorWith = [](const std::function<void(MapNetwork &)> &change) {
    MapNetwork network = threeRuns();
    change(network);
    return errorOf([&] { mapped(network, Target::load("loihi2")); });
  };
  const char *rising = "population 'p': expected runs that rise from neuron 0 "
                       "to below 10, found run ";
  EXPECT_HAS(errorWith([](auto &n) { n.populations[0].runs[0].first = 1; }),
             std::string(rising) + "0 at neuron 1");
  EXPECT_HAS(errorWith([](auto &n) { n.populations[0].runs[2].first = 3; }),
             std::string(rising) + "2 at neuron 3");
  EXPECT_HAS(errorWith([](auto &n) { n.populations[0].runs[2].first = 10; }),
             std::string(rising) + "2 at neuron 10");
  EXPECT_HAS(
      errorWith([](auto &n) { n.populations[0].runs[1].program = ownProgram; }),
      "population 'p': run 1 names no program");
  EXPECT_HAS(
      errorWith([](auto &n) { n.populations[0].runs[2].programWords = 12; }),
      "population 'p': expected 11 words of program 5, as population 'p' has, "
      "found 12");
}

} // namespace
