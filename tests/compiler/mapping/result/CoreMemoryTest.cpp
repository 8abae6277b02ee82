// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/in_order/SliceMeter.cpp,
// compiler/mapping/result/Measure.cpp. One memory for synapses, axons, neurons
// and programs, and programs that populations share.

#include "compiler/mapping/in_order/Split.h"
#include "compiler/mapping/result/Measure.h"
#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/result/SliceGraph.h"

#include <map>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(CoreMemory, CountedByHand) {
  Target target = chip(4, 1 << 16);
  uint64_t in = target.memory.inAxonBytes, out = target.memory.outAxonBytes,
           instruction = target.memory.instructionBytes;
  uint64_t list = target.synapses.listWords(ListFormat::Dense, 6, 8) *
                  target.synapses.wordBits / 8;
  MapNetwork network;
  addInput(network, "in", 5);
  addPopulation(network, "a", 3);
  addPopulation(network, "b", 4);
  network.populations[0].accumulators = 2;
  network.populations[0].neuronBytes = 100;
  network.populations[0].sliceBytes = 7;
  network.populations[0].programWords = 11;
  network.populations[1].neuronBytes = 10;
  network.populations[1].programWords = 13;
  dense(network, true, 0, 0);
  network.hostOutput = {0, 2};
  std::vector<Slice> slices = {{0, 0, 3, 1, 0}, {1, 0, 4, 1, 6}};
  std::vector<FitRow> fit = measure(network, target, slices);
  ASSERT_EQ(fit[CoreBytes].resource, "core memory");
  EXPECT_EQ(fit[CoreBytes].used, 5 * (list + in) + 300 + 7 + 11 * instruction +
                                     40 + 8 * out + 13 * instruction);
  EXPECT_EQ(fit[CoreBytes].limit, uint64_t(1) << 16);
  EXPECT_EQ(fit[CoreBytes].worstCore, 1u);
  EXPECT_EQ(fit[CoreBytes].population, "a");
  ASSERT_EQ(fit[ProgramWords].resource, "program words");
  EXPECT_EQ(fit[ProgramWords].used, 24u);
  EXPECT_EQ(fit[ProgramWords].population, "b");
  // One program for both: its words and bytes go once.
  network.populations[0].program = network.populations[1].program = 3;
  network.populations[0].programWords = 13;
  fit = measure(network, target, slices);
  EXPECT_EQ(fit[CoreBytes].used,
            5 * (list + in) + 300 + 7 + 40 + 8 * out + 13 * instruction);
  EXPECT_EQ(fit[ProgramWords].used, 13u);
  slices[1].core = 2; // and once on each of two cores
  slices[1].base = 0;
  fit = measure(network, target, slices);
  EXPECT_EQ(fit[CoreBytes].used, 5 * (list + in) + 300 + 7 + 13 * instruction);
  EXPECT_EQ(fit[ProgramWords].used, 13u);
}

TEST(CoreMemory, APopulationTooBigForACoreIsSplit) {
  MapNetwork network;
  addPopulation(network, "big", 25);
  network.populations[0].neuronBytes = 100;
  network.populations[0].sliceBytes = 50;
  network.populations[0].programWords = 10;
  uint64_t own = 50 + 10 * chip(1, 1).memory.instructionBytes;
  // 9 neurons fit beside what they share, and not one byte is left.
  Target target = chip(3, own + 900);
  Mapping mapping = mapped(network, target);
  EXPECT_EQ(mapping.slices.size(), 3u);
  EXPECT_EQ(row(mapping, "core memory").used, own + 900);
  target = chip(3, own + 899);
  std::string error = errorOf([&] { mapped(network, target); });
  EXPECT_HAS(error, "population 'big' does not fit target 'loihi2'");
  EXPECT_HAS(error, "bytes of core memory");
  EXPECT_HAS(error, "less state, fewer synapses or fewer axons");
  EXPECT_HAS(error, "--override-limit core_memory_bytes");
  target.overrideLimit("core_memory_bytes");
  EXPECT_NO_THROW(mapped(network, target));
}

TEST(CoreMemory, OneNeuronTooLargeIsRefusedByName) {
  MapNetwork network;
  addPopulation(network, "small", 3);
  addPopulation(network, "huge", 3);
  network.populations[1].neuronBytes = 4000;
  network.populations[1].sliceBytes = 97;
  EXPECT_NO_THROW(mapped(network, chip(4, 4097)));
  std::string error = errorOf([&] { mapped(network, chip(4, 4096)); });
  EXPECT_HAS(error,
             "population 'huge': neuron 0 alone needs 4097 bytes of core "
             "memory, a core of 'loihi2' has 4096");
}

TEST(CoreMemory, AProgramTooLongIsRefusedByName) {
  MapNetwork network;
  addPopulation(network, "long", 1);
  Target target = Target::load("loihi2");
  target.microcode.programWords = 20;
  network.populations[0].programWords = 20;
  EXPECT_NO_THROW(mapped(network, target));
  network.populations[0].programWords = 21;
  std::string error = errorOf([&] { mapped(network, target); });
  EXPECT_HAS(error, "population 'long': neuron 0 alone needs 21 program words");
  EXPECT_HAS(error, "--override-limit program_words");
}

/// `n` populations of one neuron, each with a program of 100 words.
MapNetwork programs(uint32_t n, uint32_t different) {
  MapNetwork network;
  for (uint32_t p = 0; p < n; ++p) {
    addPopulation(network, "p" + std::to_string(p), 1);
    network.populations[p].programWords = 100;
    network.populations[p].neuronBytes = 1;
    network.populations[p].program = p % different;
  }
  return network;
}

TEST(CoreMemory, PopulationsShareAProgram) {
  Target target = Target::load("loihi2");
  uint64_t bytes = 300 * target.memory.instructionBytes;
  for (const char *solver : {"default", "round-robin"}) {
    // 30 populations and three programs on one core of exactly that size.
    target = chip(1, bytes + 30);
    target.microcode.programWords = 300;
    Mapping mapping = mapWith(programs(30, 3), target, solver);
    EXPECT_EQ(row(mapping, "program words").used, 300u);
    EXPECT_EQ(row(mapping, "core memory").used, bytes + 30);
    EXPECT_HAS(errorOf([&] { mapWith(programs(30, 4), target, solver); }),
               "needs 400 program words");
    EXPECT_HAS(errorOf([&] { mapWith(programs(31, 3), target, solver); }),
               std::to_string(bytes + 31) + " bytes of core memory");
  }
  MapNetwork own = programs(4, 4);
  for (MapPopulation &population : own.populations)
    population.program = ownProgram;
  EXPECT_HAS(errorOf([&] { mapped(own, target); }), "needs 400 program words");
}

TEST(CoreMemory, ProgramsThatDoNotShareACoreAreKeptApart) {
  // Two programs of 100 words and cores of 150: equal ones together.
  Target target = chip(2, 1 << 16);
  target.microcode.programWords = 150;
  for (const char *solver : {"default", "round-robin"}) {
    Mapping mapping = mapWith(programs(10, 2), target, solver);
    EXPECT_EQ(row(mapping, "program words").used, 100u);
    for (const Slice &slice : mapping.slices)
      EXPECT_EQ(slice.core == mapping.slices[0].core,
                slice.population % 2 == mapping.slices[0].population % 2);
  }
}

TEST(CoreMemory, OneIdHasOneLength) {
  MapNetwork network = programs(2, 1);
  network.populations[1].programWords = 99;
  EXPECT_HAS(errorOf([&] { mapped(network, Target::load("loihi2")); }),
             "population 'p1': expected 100 words of program 0, as population "
             "'p0' has, found 99");
}

TEST(CoreMemory, OutAxonsThatSplittingAddsAreCounted) {
  // b needs 60 bytes a neuron and 5 lists with an in-axon of 8 bytes each in
  // every slice: 2 neurons a slice. So a neuron of a has three out-axons of 4
  // bytes where one was assumed at first, and not five but four fit a core.
  Target target = chip(8, 240);
  MapNetwork network;
  addPopulation(network, "a", 5);
  addPopulation(network, "b", 6);
  network.populations[0].neuronBytes = 40;
  network.populations[1].neuronBytes = 60;
  dense(network, false, 0, 1);
  for (SplitStyle style : {SplitStyle::Balanced, SplitStyle::Full}) {
    Split slices = solved(split(network, target, style));
    EXPECT_EQ(slices.starts[0].size(), 3u);
    EXPECT_EQ(slices.starts[1].size(), 4u);
  }
  Mapping mapping = mapped(network, target);
  EXPECT_EQ(row(mapping, "cores").used, 5u);
  EXPECT_EQ(row(mapping, "core memory").used, 2 * 60u + 5 * (8 + 8));
}

/// Random sizes, elements, bytes and programs, also by runs.
MapNetwork randomVectors(uint32_t seed) {
  std::mt19937 random(seed);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  MapNetwork network;
  addInput(network, "in", 4 + below(30));
  uint32_t populations = 3 + below(8);
  for (uint32_t p = 0; p < populations; ++p) {
    addPopulation(network, "p" + std::to_string(p), 1 + below(60));
    MapPopulation &population = network.populations[p];
    population.accumulators = below(5);
    population.sources = below(4);
    population.neuronBytes = below(300);
    population.sliceBytes = below(2) * below(500);
    population.program = below(3) == 0 ? ownProgram : below(3);
    population.programWords =
        population.program == ownProgram ? below(60) : 20 * population.program;
    const bool differ = below(3) == 0;
    for (uint32_t n = 0; differ && n < population.size; n += 1 + below(20)) {
      MapRun run;
      run.first = n;
      run.program = 1 + below(4);
      run.programWords = 20 * run.program;
      run.neuronBytes = below(300);
      run.sliceBytes = run.program * 50;
      population.runs.push_back(run);
    }
    std::vector<double> rates;
    for (uint32_t s = 0; s < population.size * population.sources; ++s)
      rates.push_back(double(below(100)) / 100);
    network.populationRate.push_back(rates);
    network.hostOutput.push_back(below(3) * population.sources);
  }
  connectAtRandom(network, below);
  return network;
}

/// What the solver believed of a mapping: sums over its cores, worst core.
std::array<uint64_t, numSums> believed(const MapNetwork &network,
                                       const Target &target,
                                       std::vector<Slice> slices) {
  std::sort(slices.begin(), slices.end(), [](const Slice &a, const Slice &b) {
    return std::make_pair(a.population, a.first) <
           std::make_pair(b.population, b.first);
  });
  std::vector<std::vector<uint32_t>> starts(network.populations.size());
  for (const Slice &slice : slices)
    starts[slice.population].push_back(slice.first);
  for (size_t p = 0; p < starts.size(); ++p)
    starts[p].push_back(network.populations[p].size);
  SliceGraph graph =
      buildSliceGraph(network, target.synapses, starts, EntryBytes(target));
  std::map<uint32_t, Demand> cores;
  for (size_t s = 0; s < slices.size(); ++s)
    cores[slices[s].core].add(graph.demand[s]);
  std::array<uint64_t, numSums> worst{};
  for (const auto &core : cores)
    for (int r = 0; r < numSums; ++r)
      worst[r] = std::max(worst[r], core.second.sums[r]);
  return worst;
}

TEST(CoreMemory, RandomMappingsVerifyAndBothCountsAgree) {
  Target target = chip(10, 12000);
  target.limits.compartmentsPerCore = 40;
  target.microcode.programWords = 110;
  uint32_t mapped = 0, shared = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    MapNetwork network = randomVectors(seed);
    for (const char *solver : {"default", "round-robin"}) {
      Mapping mapping;
      std::string error =
          errorOf([&] { mapping = mapWith(network, target, solver); });
      if (!error.empty()) { // only by name, and both solvers alike
        EXPECT_HAS(error, "what would make it fit is");
        continue;
      }
      ++mapped;
      EXPECT_EQ(errorOf([&] {
                  solved(verify(permute(network, mapping.order), target,
                                mapping.slices));
                }),
                "");
      auto sums = believed(permute(network, mapping.order),
                           mapping.skipsZeros ? skippingZeros(target) : target,
                           mapping.slices);
      for (int r = 0; r < numSums; ++r)
        EXPECT_EQ(row(mapping, describe(Resource(r)).name).used, sums[r])
            << seed << " " << describe(Resource(r)).name;
      std::map<std::pair<uint32_t, uint32_t>, int> uses; // core, program
      for (const Slice &slice : mapping.slices)
        if (uint32_t id = network.populations[slice.population].program;
            id == 1 || id == 2)
          shared += uses[{slice.core, id}]++ > 0;
    }
  }
  EXPECT_GT(mapped, 100u);
  EXPECT_LT(mapped, 120u); // the budget binds
  EXPECT_GT(shared, 10u);
}

} // namespace
