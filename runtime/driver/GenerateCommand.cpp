// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith generate`: study networks of a seed.

#include "runtime/driver/Commands.h"

#include "compiler/import/study/Column.h"
#include "compiler/import/study/Generate.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <map>
#include <memory>

namespace dendrolith::driver {
namespace {

using Mode = study::Recipe::Mode;

const std::map<std::string, Mode> kModes = {{"random", Mode::Random},
                                            {"local", Mode::Local},
                                            {"spatial", Mode::Spatial}};
constexpr const char *kColumn = "microcircuit";

struct GenerateFlags {
  study::Recipe recipe;
  study::ColumnRecipe column;
  std::string prefix, mode = "random", mapping = "roundrobin";
  int32_t threshold = 0;
};

void printFiles(const std::string &prefix) {
  std::printf("wrote %s.npz and %s.json\n", prefix.c_str(), prefix.c_str());
}

void makeStudy(GenerateFlags &flags) {
  flags.recipe.mode = kModes.at(flags.mode);
  flags.recipe.blocks = flags.mapping == "block";
  study::Generated made = study::generate(flags.recipe);
  study::write(made, flags.recipe, flags.prefix);
  const study::Network &net = made.network;
  const size_t spikes = made.stimulus.expected.size();
  std::printf("%u neurons and %u inputs on %u cores, %llu synapses, threshold "
              "%d: %zu spikes in %llu steps (%.2f %% of the neurons in a "
              "step)\n",
              net.neurons, net.inputs, net.cores,
              static_cast<unsigned long long>(made.synapses), net.threshold,
              spikes, static_cast<unsigned long long>(made.stimulus.steps),
              100.0 * double(spikes) / double(made.stimulus.steps) /
                  net.neurons);
  printFiles(flags.prefix);
}

/// What the column has of the flags that all modes share.
void makeColumn(GenerateFlags &flags, const CLI::App &command) {
  for (const char *other :
       {"--fanout", "--reach", "--anywhere", "--cores", "--mapping", "--rate",
        "--in-rate", "--leak", "--wmax-in", "--wmax-rec", "--threshold"})
    if (command.count(other))
      throw Error(std::string("generate: expected no ") + other +
                  " with --mode microcircuit, whose neurons, weights and "
                  "connections are published ones");
  study::ColumnRecipe &column = flags.column;
  if (command.count("--neurons"))
    column.scale = double(flags.recipe.neurons) / study::columnNeurons();
  if (command.count("--inputs"))
    column.inputs = flags.recipe.inputs;
  if (command.count("--steps"))
    column.steps = flags.recipe.steps;
  column.seed = flags.recipe.seed;
  std::puts(study::writeColumn(column, flags.prefix).c_str());
  printFiles(flags.prefix);
}

void generate(GenerateFlags &flags, const CLI::App &command) {
  if (flags.mode == kColumn)
    return makeColumn(flags, command);
  if (command.count("--scale"))
    throw Error("generate: expected --scale only with --mode microcircuit");
  makeStudy(flags);
}

} // namespace

void addGenerate(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "generate", "Make a network of a seed, of any size: sparse integer LIF "
                  "neurons with the spikes that they must give, or the "
                  "cortical microcircuit");
  command->footer(
      "Example: dendrolith generate r10k --neurons 10000 --steps 100");
  auto flags = std::make_shared<GenerateFlags>();
  study::Recipe &recipe = flags->recipe;
  command
      ->add_option("PREFIX", flags->prefix, "Writes PREFIX.npz and PREFIX.json")
      ->required();
  auto add = [&](const char *name, auto &value, const char *help) {
    return command->add_option(name, value, help)->capture_default_str();
  };
  add("--mode", flags->mode,
      "random: each source to distinct neurons anywhere; local: to 3 cores "
      "near its own and 27 neurons in a row there, which fits a real chip; "
      "spatial: on a grid, to neurons at normally distributed distances; "
      "microcircuit: the column of Potjans and Diesmann, 77,169 neurons")
      ->check(CLI::IsMember({"random", "local", "spatial", kColumn}));
  CLI::Option *neurons = add("--neurons", recipe.neurons, "Number of neurons");
  add("--scale", flags->column.scale,
      "Share of the microcircuit's neurons, and of the synapses of each")
      ->excludes(neurons);
  add("--inputs", recipe.inputs,
      "Number of inputs; 0 = a tenth of the neurons; 4096 of a microcircuit");
  add("--fanout", recipe.fanout, "Synapses of a source (random, spatial)");
  add("--reach", recipe.reach,
      "Standard deviation of a distance across and down, in neurons (spatial)");
  add("--anywhere", recipe.anywhere,
      "Share of the synapses that lead anywhere (spatial)");
  add("--cores", recipe.cores, "Cores that the neurons are placed on");
  add("--mapping", flags->mapping, "Placement of a random network")
      ->check(CLI::IsMember({"roundrobin", "block"}));
  add("--steps", recipe.steps,
      "Steps of input and of the reference; 10000 of a microcircuit");
  add("--seed", recipe.seed, "Seed: equal numbers give equal files");
  add("--rate", recipe.rate, "Spikes of a neuron per step, by the threshold");
  add("--in-rate", recipe.inputRate, "Spikes of an input per step");
  add("--leak", recipe.leak, "What a potential loses in a step, of 4096");
  add("--wmax-in", recipe.inputWeight, "Largest weight of an input");
  add("--wmax-rec", recipe.weight, "Largest weight of a neuron, either sign");
  CLI::Option *threshold = command->add_option("--threshold", flags->threshold,
                                               "Threshold instead of --rate");
  command->callback([flags, threshold, command] {
    if (threshold->count())
      flags->recipe.threshold = flags->threshold;
    generate(*flags, *command);
  });
}

} // namespace dendrolith::driver
