// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of integer step bodies against the reference interpreter on random
// networks: a value is never outside its interval, a neuron that is proved
// silent never emits, and a network without its silent neurons does the same.

#include "compiler/transforms/SpikeBounds.h"
#include "compiler/pipelines/Compile.h"
#include "compiler/pipelines/Diagnostics.h"
#include "compiler/pipelines/InputFeeder.h"
#include "compiler/pipelines/Rewrites.h"
#include "compiler/transforms/Intervals.h"
#include "tests/agreement/RandomBodies.h"
#include "tests/agreement/RandomNetwork.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

namespace neurite::test {
namespace {

constexpr uint32_t kSeeds = 60;

/// A random network in integers: of step bodies, or of current-based neurons.
struct Integers {
  explicit Integers(uint32_t seed, bool cuba = false) {
    std::string text;
    if (cuba) {
      RandomNetwork random = randomNetwork(seed, {});
      text = random.text;
      inputs = random.inputs;
    } else {
      RandomBodies random = randomBodies(seed);
      text = random.text;
      inputs = random.inputs;
    }
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 (std::to_string(getpid()) + "-bounds.mlir");
    std::ofstream(path) << text;
    compilation =
        std::make_unique<Compilation>(path.string(), nir::NirOptions());
    std::filesystem::remove(path);
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

Interval seen(const dend::Lanes &lanes) {
  auto [low, high] = std::minmax_element(lanes.raw.begin(), lanes.raw.end());
  return {*low, *high};
}

TEST(Intervals, HoldEveryValueOfTheInterpreter) {
  uint64_t compared = 0, narrower = 0;
  std::set<std::string> outside;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed)
    Integers(seed, seed % 2).run([&](const dend::Update &update) {
      dend::NeuronOp model = update.model;
      Intervals values;
      for (mlir::BlockArgument argument : model.getBlock().getArguments())
        values[argument] = seen(update.frame[argument]);
      evaluateIntervals(model.getBlock(), values);
      for (mlir::Operation &op : model.getBlock().without_terminator())
        for (mlir::Value result : op.getResults()) {
          Interval bound = values.lookup(result);
          ++compared;
          narrower += bound != rangeOf(result.getType());
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
    Integers network(seed, seed % 2);
    auto silent = *neverEmitting(network.compilation->fixedNetwork());
    for (const auto &[name, ids] : silent)
      proved += ids.size();
    network.run([&](const dend::Update &update) {
      dend::PopulationOp population = update.population;
      dend::NeuronOp model = update.model;
      auto yield = mlir::cast<dend::YieldOp>(model.getBlock().getTerminator());
      for (mlir::Value value : yield.getEmitted()) {
        const dend::Lanes &lanes = update.frame[value];
        dend::View<int64_t> raw = dend::raws(lanes);
        for (int64_t n : silent[population.getSymName().str()])
          for (int64_t i = 0; i < lanes.size; ++i)
            ASSERT_EQ(raw(n, i), 0) << "seed " << seed << " neuron " << n;
      }
    });
  }
  EXPECT_GT(proved, 0u);
}

// removeDeadUnits() compares every output and emission itself.
TEST(DeadUnits, TheRestDoesTheSame) {
  int removed = 0, nothing = 0;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    Integers network(seed, seed % 2);
    dend::NetworkOp fixed = network.compilation->fixedNetwork();
    auto module = fixed->getParentOfType<mlir::ModuleOp>();
    // A population that is an output stays whole: only the last one is.
    auto outputs = llvm::to_vector(fixed.getOps<dend::OutputOp>());
    for (dend::OutputOp output : outputs)
      if (output.getPopulation() != outputs.back().getPopulation())
        output.erase();
    DiagnosticsAsError errors(module.getContext());
    try {
      errors.check(removeDeadUnits(module, network.inputs), "");
      ++removed;
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()).find("applies nowhere"),
                std::string::npos)
          << "seed " << seed << ": " << error.what();
      ++nothing;
    }
  }
  EXPECT_GT(removed, 0) << nothing << " networks without silent neurons";
}

} // namespace
} // namespace neurite::test
