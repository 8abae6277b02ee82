// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `neurite generate`: study networks of a seed.

#include "runtime/driver/Commands.h"

#include "compiler/import/study/Generate.h"

#include <cstdio>
#include <memory>

namespace neurite::driver {
namespace {

struct GenerateFlags {
  study::Recipe recipe;
  std::string prefix, mode = "random", mapping = "roundrobin";
  int32_t threshold = 0;
};

void run(GenerateFlags &flags) {
  flags.recipe.mode = flags.mode == "local" ? study::Recipe::Mode::Local
                                            : study::Recipe::Mode::Random;
  flags.recipe.blocks = flags.mapping == "block";
  study::Generated made = study::generate(flags.recipe);
  study::write(made, flags.recipe, flags.prefix);
  const study::Network &net = made.network;
  std::printf("%u neurons and %u inputs on %u cores, %zu synapses, threshold "
              "%d: %zu spikes in %llu steps (%.2f %% of the neurons in a "
              "step)\nwrote %s.npz and %s.json\n",
              net.neurons, net.inputs, net.cores, net.target.size(),
              net.threshold, made.stimulus.expected.size(),
              static_cast<unsigned long long>(made.stimulus.steps),
              100.0 * double(made.stimulus.expected.size()) /
                  double(made.stimulus.steps) / net.neurons,
              flags.prefix.c_str(), flags.prefix.c_str());
}

} // namespace

void addGenerate(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "generate", "Make a study network: sparse integer LIF neurons, their "
                  "input and the spikes they must give");
  command->footer("Example: neurite generate r10k --neurons 10000 --steps 100");
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
      "near its own and 27 neurons in a row there, which fits a real chip")
      ->check(CLI::IsMember({"random", "local"}));
  add("--neurons", recipe.neurons, "Number of neurons");
  add("--inputs", recipe.inputs,
      "Number of inputs; 0 = a tenth of the neurons");
  add("--fanout", recipe.fanout, "Synapses of a source (random)");
  add("--cores", recipe.cores, "Cores that the neurons are placed on");
  add("--mapping", flags->mapping, "Placement of a random network")
      ->check(CLI::IsMember({"roundrobin", "block"}));
  add("--steps", recipe.steps, "Steps of input and of the reference");
  add("--seed", recipe.seed, "Seed: equal numbers give equal files");
  add("--rate", recipe.rate, "Spikes of a neuron per step, by the threshold");
  add("--in-rate", recipe.inputRate, "Spikes of an input per step");
  add("--leak", recipe.leak, "What a potential loses in a step, of 4096");
  add("--wmax-in", recipe.inputWeight, "Largest weight of an input");
  add("--wmax-rec", recipe.weight, "Largest weight of a neuron, either sign");
  CLI::Option *threshold = command->add_option("--threshold", flags->threshold,
                                               "Threshold instead of --rate");
  command->callback([flags, threshold] {
    if (threshold->count())
      flags->recipe.threshold = flags->threshold;
    run(*flags);
  });
}

} // namespace neurite::driver
