// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/FunctionalEngine.cpp, simulator/functional/machine/Step.cpp,
// simulator/events/EventCounter.cpp.
// The functional engine against the naive engine and the naive counter, over
// random programs: every emitted value, u, v, output and count.

#include "simulator/Run.h"
#include "simulator/functional/machine/CoreShares.h"
#include "simulator/functional/rows/Rows.h"
#include "tests/simulator/NaiveCounter.h"
#include "tests/simulator/NaiveEngine.h"
#include "tests/simulator/RandomProgram.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

sim::RunOptions tracingAll(const image::Program &program) {
  sim::RunOptions options;
  for (const image::Population &p : program.populations())
    for (const char *state : {"", "u", "v"})
      options.traces.push_back({p.name(), state});
  return options;
}

/// The largest magnitude, where negative numbers count from -1 downwards.
int64_t largestOf(const std::vector<int64_t> &values) {
  int64_t most = 0;
  for (int64_t value : values)
    most = std::max(most, value < 0 ? -value - 1 : value);
  return most;
}

/// Whether the engine keeps the program's sums in 32 bits.
bool isCounted(const image::Program &program) {
  sim::Machine machine(program, sim::Machine::Lists::Left);
  return sim::Rows(program, machine, nullptr).layout().counted.bits != 0;
}

TEST(Agreement, RandomProgramsEqualTheNaiveEngine) {
  uint32_t counted = 0;
  uint64_t spikes = 0, resets = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = randomProgram(seed);
    counted += isCounted(random.program);
    auto naive = runNaively(random.program, random.inputs);
    auto result = sim::runFunctional(random.program, random.target,
                                     random.inputs, tracingAll(random.program));
    auto records = recordsOf(random.program, result);
    for (const auto &[name, record] : naive) {
      ASSERT_EQ(records[name].spikes, record.spikes) << name;
      ASSERT_EQ(records[name].u, record.u) << name;
      ASSERT_EQ(records[name].v, record.v) << name;
      const auto &peaks = result.saturations.peaks.at(name);
      ASSERT_EQ(peaks.at("u"), largestOf(record.u)) << name;
      ASSERT_GE(peaks.at("v"), largestOf(record.v)) << name;
      resets += peaks.at("v") > largestOf(record.v);
      uint64_t fired = 0;
      for (int64_t value : record.spikes)
        fired += value != 0;
      spikes += fired;
      for (const sim::SpikeValues &values : result.spikeValues)
        if (values.name == name) {
          ASSERT_EQ(values.counts, (std::vector<uint64_t>{
                                       record.spikes.size() - fired, fired}));
        }
    }
    for (const sim::OutputData &output : result.outputs) {
      const image::Output *image = nullptr;
      for (const image::Output &o : random.program.outputs())
        if (o.name() == output.name)
          image = &o;
      double scale = 0;
      for (const image::Population &p : random.program.populations())
        if (p.name() == image->population())
          scale = p.scale();
      const NaiveRecord &record = naive.at(image->population());
      const std::vector<int64_t> &shown = image->kind() == image::Output::SPIKES
                                              ? record.spikes
                                          : image->from() == "u" ? record.u
                                                                 : record.v;
      bool scaled = image->kind() != image::Output::SPIKES && scale != 0;
      ASSERT_EQ(output.values.size(), shown.size());
      for (size_t i = 0; i < shown.size(); ++i)
        ASSERT_EQ(output.values[i], shown[i] / (scaled ? scale : 1.0));
    }
  }
  EXPECT_GT(spikes, 1000u); // the programs are not all silent
  EXPECT_GT(resets, 50u);   // spikes hide how far a potential went
  EXPECT_GT(counted, 50u);  // and of both forms
  EXPECT_LT(counted, 350u);
}

void expectNaiveCounts(bool multicast, bool board = false) {
  uint64_t crossings = 0;
  for (uint32_t seed = 1000; seed < 1300; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random =
        board ? randomBoard(seed, multicast) : randomProgram(seed, multicast);
    auto result = sim::runFunctional(random.program, random.target,
                                     random.inputs, tracingAll(random.program));
    NaiveAttribution attribution;
    sim::Counts naive =
        countNaively(random.program, random.target, random.inputs,
                     recordsOf(random.program, result), &attribution);
    ASSERT_EQ(result.counts.difference(naive), "");
    ASSERT_TRUE(result.counts == naive);
    ASSERT_EQ(difference(result.attribution, attribution), "");
    ASSERT_TRUE(result.attribution.total() == result.counts.total());
    // What single samples count is added up in another way.
    sim::CoreCounts samples;
    for (const sim::CoreCounts &each : result.sampleCounts)
      samples += each;
    const sim::CoreCounts total = result.counts.total();
    ASSERT_EQ(samples[Counter::Crossings], total[Counter::Crossings]);
    crossings += total[Counter::Crossings];
  }
  EXPECT_EQ(crossings > 1000, board);
}

TEST(Agreement, RandomProgramsEqualTheNaiveCounter) {
  expectNaiveCounts(/*multicast=*/false);
}

TEST(Agreement, AndWithMulticast) { expectNaiveCounts(/*multicast=*/true); }

TEST(Agreement, AndOnBoardsOfChips) {
  for (bool multicast : {false, true})
    expectNaiveCounts(multicast, /*board=*/true);
}

void expectEqual(const sim::RunResult &one, const sim::RunResult &many) {
  ASSERT_EQ(one.counts.difference(many.counts), "");
  ASSERT_TRUE(one.attribution == many.attribution);
  ASSERT_TRUE(one.sampleCounts == many.sampleCounts);
  ASSERT_EQ(one.traces.size(), many.traces.size());
  for (size_t t = 0; t < one.traces.size(); ++t)
    ASSERT_EQ(one.traces[t].values, many.traces[t].values);
  for (size_t o = 0; o < one.outputs.size(); ++o)
    ASSERT_EQ(one.outputs[o].values, many.outputs[o].values);
  ASSERT_TRUE(one.spikes == many.spikes);
  ASSERT_EQ(one.saturations.wrapped, many.saturations.wrapped);
  ASSERT_EQ(one.saturations.peaks, many.saturations.peaks);
  ASSERT_EQ(one.neuroBench.membraneUpdates, many.neuroBench.membraneUpdates);
}

TEST(Agreement, ThreadCountDoesNotShow) {
  for (uint32_t seed = 2000; seed < 2040; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = randomProgram(seed);
    sim::RunOptions options = tracingAll(random.program);
    auto one = sim::runFunctional(random.program, random.target, random.inputs,
                                  options);
    for (unsigned threads : {0u, 2u, 7u}) {
      options.threads = threads;
      expectEqual(one, sim::runFunctional(random.program, random.target,
                                          random.inputs, options));
    }
  }
}

// Few programs of few cores can be cut into seven, and some have one core.
TEST(Agreement, SharesOfASampleDoNotShow) {
  size_t cut = 0;
  for (uint32_t seed = 2000; seed < 2100; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = seed % 2 ? randomProgram(seed) : randomBoard(seed);
    sim::RunOptions options = tracingAll(random.program);
    options.spikes = seed % 3 == 0;
    auto one = sim::runFunctional(random.program, random.target, random.inputs,
                                  options);
    for (unsigned shares : {2u, 3u, 7u}) {
      cut += sim::shareCores(random.program,
                             {0, uint32_t(random.program.cores_size())}, shares)
                 .size() > 1;
      sim::FunctionalProgram several(random.program, random.target, shares);
      expectEqual(one, several.run(random.inputs, options));
    }
  }
  EXPECT_GT(cut, 100u);
}

/// The steps [first, end) of one sample.
std::map<std::string, Samples>
pieceOf(const std::map<std::string, Samples> &inputs, uint64_t sample,
        uint64_t first, uint64_t end) {
  std::map<std::string, Samples> piece;
  for (const auto &[name, all] : inputs) {
    Samples &part = piece[name];
    part.samples = 1;
    part.steps = end - first;
    part.shape = all.shape;
    std::vector<double> values;
    for (uint64_t step = first; step < end; ++step)
      for (uint64_t e = 0; e < all.width(); ++e)
        values.push_back(all.at(sample, step, e));
    part.values = std::move(values);
  }
  return piece;
}

// Ticks that are taken to their ends one by one give what the pipeline gives.
TEST(Agreement, SteppedProgramsEqualTheWholeRun) {
  size_t refused = 0, overlapping = 0;
  uint64_t spikes = 0;
  for (uint32_t seed = 4000; seed < 4400; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = randomProgram(seed);
    const auto whole =
        sim::runFunctional(random.program, random.target, random.inputs, {});
    sim::FunctionalProgram program(random.program, random.target, 1 + seed % 3);
    std::optional<sim::FunctionalProgram::Stepper> stepper;
    try {
      stepper.emplace(program);
    } catch (const Error &) { // random phases may send into the past
      ++refused;
      continue;
    }
    overlapping += random.program.schedule().period() + 1 <
                   random.program.schedule().depth();
    const Samples &first = random.inputs.begin()->second;
    std::vector<size_t> at(whole.outputs.size());
    for (uint64_t sample = 0; sample < first.samples; ++sample)
      for (uint64_t step = 0, end = 0; step < first.steps; step = end) {
        end = std::min(first.steps, step + 1 + (seed + step) % 3);
        EXPECT_THROW(stepper->run({}, false), Error);
        const auto outputs =
            stepper->run(pieceOf(random.inputs, sample, step, end), step == 0);
        for (size_t o = 0; o < outputs.size(); ++o)
          for (double value : outputs[o].values) {
            ASSERT_EQ(value, whole.outputs[o].values[at[o]++]);
            spikes += value != 0;
          }
      }
    for (size_t o = 0; o < at.size(); ++o)
      ASSERT_EQ(at[o], whole.outputs[o].values.size());
  }
  EXPECT_GT(spikes, 1000u);
  EXPECT_GT(refused, 10u);
  EXPECT_GT(overlapping, 50u); // ticks that a pipeline would run at once
}

// The tables may go once all shares have read them.
TEST(Agreement, NorThatTablesAreReleased) {
  RandomProgram random = randomBoard(7);
  auto one = sim::runFunctional(random.program, random.target, random.inputs,
                                tracingAll(random.program));
  const sim::RunOptions options = tracingAll(random.program);
  image::Program emptied = random.program;
  sim::FunctionalProgram several(&emptied, random.target, 3);
  for (const image::Core &core : emptied.cores())
    EXPECT_FALSE(core.has_synapses());
  expectEqual(one, several.run(random.inputs, options));
}

// What simulator/COUNTERS.md says always holds; the last seeds have multicast.
TEST(Agreement, CountsKeepTheirIdentities) {
  using C = Counter;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const bool multicast = seed >= 100;
    RandomProgram random = seed % 2 ? randomBoard(seed, multicast)
                                    : randomProgram(seed, multicast);
    sim::Counts counts =
        sim::runFunctional(random.program, random.target, random.inputs, {})
            .counts;
    sim::CoreCounts total = counts.total();
    EXPECT_EQ(total[C::Barriers], total[C::Steps]);
    if (multicast)
      EXPECT_LE(total[C::Messages], total[C::WithinTile] + total[C::Outputs]);
    else
      EXPECT_EQ(total[C::Messages], total[C::WithinTile] + total[C::Outputs]);
    EXPECT_EQ(total[C::AxonReads], total[C::WithinTile]);
    EXPECT_EQ(total[C::HostMessages],
              counts.host[C::Messages] + total[C::Outputs]);
    uint64_t flits = 0;
    for (const sim::LinkCount &link : counts.links)
      flits += link.flits;
    EXPECT_EQ(total[C::HopsEw] + total[C::HopsNs] + total[C::Crossings], flits);
    // These programs update every neuron once in a token.
    uint64_t neurons = 0;
    for (const image::Core &core : random.program.cores())
      for (const image::Group &group : core.groups())
        neurons += group.count();
    EXPECT_EQ(total[C::UpdatesActive] + total[C::UpdatesInactive],
              neurons * total[C::Tokens]);
  }
}

} // namespace
} // namespace dendrolith::test
