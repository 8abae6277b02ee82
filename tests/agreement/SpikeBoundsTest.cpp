// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/transforms/rewrites/SpikeBounds.cpp,
// compiler/transforms/rewrites/SpikeBounds.cpp.
// Intervals of integer step bodies against the reference interpreter on random
// networks: a value is never outside its interval, a neuron that is proved
// silent never emits, and a network without its silent neurons does the same.

#include "compiler/transforms/rewrites/SpikeBounds.h"
#include "compiler/pipelines/Compile.h"
#include "compiler/pipelines/samples/RunSamples.h"
#include "runtime/session/RunInterpreter.h"
#include "tests/agreement/RandomBodies.h"
#include "tests/agreement/RandomNetwork.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace dendrolith::test {
namespace {

constexpr uint32_t kSeeds = 60;

/// A random network: of step bodies in integers, or of current-based neurons.
std::pair<std::string, std::map<std::string, Samples>> randomText(uint32_t seed,
                                                                  bool cuba) {
  if (cuba) {
    RandomNetwork random = randomNetwork(seed, {});
    return {random.text, random.inputs};
  }
  RandomBodies random = randomBodies(seed);
  return {random.text, random.inputs};
}

std::unique_ptr<Compilation> importText(const std::string &text) {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               (std::to_string(getpid()) + "-bounds.mlir");
  std::ofstream(path) << text;
  auto compilation = std::make_unique<Compilation>(path.string());
  std::filesystem::remove(path);
  return compilation;
}

/// A random network in integers; half of the seeds are of each kind.
struct Integers {
  explicit Integers(uint32_t seed) {
    auto [text, samples] = randomText(seed, seed % 2);
    inputs = samples;
    compilation = importText(text);
    compilation->quantise({});
  }

  /// Runs all samples; `look` sees every update.
  void run(const dend::Observer &look) {
    auto interpreter =
        *dend::Interpreter::create(compilation->fixedNetwork(), {});
    interpreter->observe(look);
    InputFeeder feeder(*interpreter, inputs);
    for (uint64_t s = 0; s < feeder.samples; ++s) {
      interpreter->reset();
      for (uint64_t tick = 0; tick < feeder.ticks; ++tick)
        interpreter->tick(feeder.at(s, tick));
    }
  }

  std::map<std::string, Samples> inputs;
  std::unique_ptr<Compilation> compilation;
};

Interval seen(const dend::PopulationValue &lanes) {
  auto [low, high] = std::minmax_element(lanes.raw.begin(), lanes.raw.end());
  return {*low, *high};
}

TEST(Intervals, HoldEveryValueOfTheInterpreter) {
  uint64_t compared = 0, narrower = 0;
  std::set<std::string> outside;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed)
    Integers(seed).run([&](const dend::Update &update) {
      dend::NeuronOp model = update.model;
      Intervals values;
      for (mlir::BlockArgument argument : model.getBlock().getArguments())
        values[argument] = seen(update.frame[argument]);
      evaluateIntervals(model.getBlock(), values);
      for (mlir::Operation &op : model.getBlock().without_terminator())
        for (mlir::Value result : op.getResults()) {
          Interval bound = values.lookup(result);
          ++compared;
          narrower += bound != dend::rangeOf(result.getType());
          if (!seen(update.frame[result]).within(bound))
            outside.insert("seed " + std::to_string(seed) + ": " +
                           op.getName().getStringRef().str());
        }
    });
  EXPECT_TRUE(outside.empty()) << *outside.begin();
  EXPECT_GT(narrower, compared / 4) << "of " << compared;
}

TEST(SpikeBounds, WhatIsProvedSilentIsSilent) {
  uint64_t proved = 0;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    Integers network(seed);
    auto silent = *neverEmitting(network.compilation->fixedNetwork());
    for (const auto &[name, ids] : silent)
      proved += ids.size();
    network.run([&](const dend::Update &update) {
      dend::PopulationOp population = update.population;
      dend::NeuronOp model = update.model;
      auto yield = mlir::cast<dend::YieldOp>(model.getBlock().getTerminator());
      for (mlir::Value value : yield.getEmitted()) {
        const dend::PopulationValue &lanes = update.frame[value];
        dend::View<int64_t> raw = dend::raws(lanes);
        for (int64_t n : silent[population.getSymName().str()])
          for (int64_t i = 0; i < lanes.size; ++i)
            ASSERT_EQ(raw(n, i), 0) << "seed " << seed << " neuron " << n;
      }
    });
  }
  EXPECT_GT(proved, 0u);
}

/// The text with the last population's outputs only: what the others do, the
/// host does not see, and their silent neurons may go.
std::string lastOutputs(const std::string &text) {
  size_t last = text.rfind("dend.output");
  size_t from = text.find('@', text.find('=', last));
  std::string of = text.substr(from, text.find('[', from) + 1 - from), kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find("dend.output") == std::string::npos ||
        line.find(of) != std::string::npos)
      kept += line + "\n";
  return kept;
}

// The whole network in the reference interpreter, the rest of it on the chip.
TEST(DeadUnits, TheRestDoesTheSame) {
  int removed = 0, nothing = 0;
  for (uint32_t seed = 1; seed <= 5 * kSeeds; ++seed) {
    auto [text, inputs] = randomText(seed, seed % 2);
    if (text.find("dend.math") != std::string::npos)
      continue; // has a meaning, and ranges, only once it is written out
    text = lastOutputs(text);
    CompileOptions options;
    auto whole = importText(text), pruned = importText(text);
    whole->calibrate(inputs);
    whole->quantise(options);
    auto expected =
        session::runInterpreter({whole->fixedNetwork(), {}, inputs});
    options.rewrites = {"dead-units"};
    pruned->calibrate(inputs);
    try {
      pruned->quantise(options);
    } catch (const Error &error) {
      ASSERT_NE(std::string(error.what()).find("applies nowhere"),
                std::string::npos)
          << "seed " << seed << ": " << error.what();
      ++nothing;
      continue;
    }
    pruned->lower(options);
    image::Program program = pruned->emit();
    EXPECT_GT(program.rewrites_size(), 0);
    auto found = session::recordingOf(sim::runFunctional(
        program, Target::parse(program.target_yaml(), ""), inputs, {}));
    for (size_t o = 0; o < expected.outputs.size(); ++o)
      EXPECT_EQ(expected.outputs[o].values, found.outputs[o].values)
          << "seed " << seed << "\n"
          << text;
    ++removed;
  }
  EXPECT_GT(removed, 15) << nothing << " networks without silent neurons";
}

} // namespace
} // namespace dendrolith::test
