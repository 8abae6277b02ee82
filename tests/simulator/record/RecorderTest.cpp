// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/record/Recorder.cpp.
// Neurons that cores hold in another order are recorded under their numbers.

#include "simulator/Run.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/TraceFiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>

namespace dendrolith::test {
namespace {

/// Gives the neurons of each population other numbers.
std::map<std::string, std::vector<uint32_t>> renumber(image::Program &program,
                                                      uint32_t seed) {
  std::mt19937 random(seed);
  std::map<std::string, std::vector<uint32_t>> numbers;
  for (image::Population &population : *program.mutable_populations()) {
    std::vector<uint32_t> &of = numbers[population.name()];
    of.resize(population.size());
    std::iota(of.begin(), of.end(), 0);
    std::shuffle(of.begin(), of.end(), random);
    population.set_numbers(encodeU32(of));
  }
  validate(program);
  return numbers;
}

/// Rows of a population brought into the order of its numbers.
template <typename T>
std::vector<T> ordered(const std::vector<T> &values,
                       const std::vector<uint32_t> &numbers) {
  std::vector<T> moved(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    moved[i / numbers.size() * numbers.size() + numbers[i % numbers.size()]] =
        values[i];
  return moved;
}

TEST(Recorder, EverythingStandsUnderTheModelsNumbers) {
  uint64_t spikes = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = randomProgram(seed);
    sim::RunOptions options;
    options.spikes = true;
    for (const image::Population &p : random.program.populations())
      for (const char *state : {"", "u", "v"})
        options.traces.push_back({p.name(), state});
    auto plain = sim::runFunctional(random.program, random.target,
                                    random.inputs, options);
    auto numbers = renumber(random.program, seed);
    auto result = sim::runFunctional(random.program, random.target,
                                     random.inputs, options);
    EXPECT_EQ(plain.counts.difference(result.counts), "");
    ASSERT_EQ(plain.traces.size(), result.traces.size());
    for (size_t t = 0; t < plain.traces.size(); ++t)
      EXPECT_EQ(
          ordered(plain.traces[t].values, numbers[plain.traces[t].population]),
          result.traces[t].values);
    for (size_t o = 0; o < plain.outputs.size(); ++o)
      EXPECT_EQ(ordered(plain.outputs[o].values,
                        numbers[random.program.outputs(int(o)).population()]),
                result.outputs[o].values);
    for (size_t s = 0; s < plain.spikes.size(); ++s) {
      std::vector<sim::SpikeEvent> expected = plain.spikes[s].events();
      const std::vector<sim::SpikeEvent> found = result.spikes[s].events();
      for (sim::SpikeEvent &event : expected)
        event.neuron =
            numbers[random.program.populations(int(event.population)).name()]
                   [event.neuron];
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(expected, found);
      spikes += found.size();
    }
  }
  EXPECT_GT(spikes, 1000u);
}

TEST(Recorder, FilesHoldWhatMemoryWould) {
  size_t values = 0, wide = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = randomProgram(seed);
    renumber(random.program, seed);
    sim::RunOptions options;
    for (const image::Population &p : random.program.populations())
      for (const char *state : {"", "u", "v"})
        options.traces.push_back({p.name(), state});
    // Long enough for many blocks of ticks.
    for (auto &[name, samples] : random.inputs) {
      std::vector<double> longer;
      for (uint64_t s = 0; s < samples.samples; ++s)
        for (uint64_t i = 0; i < 20 * samples.steps * samples.width(); ++i)
          longer.push_back(
              samples.values[samples.begin(s, 0) +
                             i % (samples.steps * samples.width())]);
      samples.steps *= 20;
      samples.values = std::move(longer);
    }
    const auto plain = sim::runFunctional(random.program, random.target,
                                          random.inputs, options);
    options.threads = 2;
    options.stores.outputs = [](const sim::OutputData &, uint64_t size) {
      return std::make_shared<ValueFile>(
          std::filesystem::temp_directory_path().string(), size);
    };
    options.stores.traces = tracesInFiles();
    const auto stored = sim::runFunctional(random.program, random.target,
                                           random.inputs, options);
    for (size_t t = 0; t < plain.traces.size(); ++t) {
      EXPECT_TRUE(stored.traces[t].values.empty());
      EXPECT_EQ(readOf(stored.traces[t]), plain.traces[t].values);
    }
    ASSERT_EQ(plain.outputs.size(), stored.outputs.size());
    EXPECT_EQ(plain.counts.difference(stored.counts), "");
    for (size_t o = 0; o < plain.outputs.size(); ++o) {
      EXPECT_TRUE(stored.outputs[o].values.empty());
      ASSERT_EQ(stored.outputs[o].size(), plain.outputs[o].size());
      std::vector<double> read(plain.outputs[o].size());
      stored.outputs[o].file->get(0, read.data(), read.size());
      EXPECT_EQ(read, plain.outputs[o].values);
      EXPECT_TRUE(sameValues(plain.outputs[o], stored.outputs[o]));
      values += size_t(std::count_if(read.begin(), read.end(),
                                     [](double v) { return v != 0; }));
      wide += plain.ticks > 128;
    }
  }
  EXPECT_GT(values, 10000u);
  EXPECT_GT(wide, 10u); // runs of more ticks than a block has
}

} // namespace
} // namespace dendrolith::test
