// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith generate`: study networks of a seed.

#include "runtime/driver/Command.h"

#include "compiler/import/study/Column.h"
#include "compiler/import/study/Generate.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <fmt/format.h>
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
  std::string prefix, mode, mapping;
  int32_t threshold = 0;
};

/// Returns what is said of the network.
std::string makeStudy(GenerateFlags &flags) {
  flags.recipe.mode = kModes.at(flags.mode);
  flags.recipe.blocks = flags.mapping == "block";
  study::Generated made = study::generate(flags.recipe);
  study::write(made, flags.recipe, flags.prefix);
  const study::Network &net = made.network;
  const size_t spikes = made.stimulus.expected.size();
  return fmt::format(
      "{} neurons and {} inputs on {} cores, {} synapses, threshold {}: {} "
      "spikes in {} steps ({:.2f} % of the neurons in a step)",
      net.neurons, net.inputs, net.cores, made.synapses, net.threshold, spikes,
      made.stimulus.steps,
      100.0 * double(spikes) / double(made.stimulus.steps) / net.neurons);
}

/// What the column has of the options that all modes share.
std::string makeColumn(GenerateFlags &flags,
                       const options::CommandOptions &options) {
  for (const options::Option *row : options.bound())
    if ((row->name == "cores" || row->place == options::Place::Recipe) &&
        row->name != "inputs" && row->name != "scale" &&
        options.isGiven(row->name))
      throw Error("generate: expected no " + row->name +
                  " with --mode microcircuit, whose neurons, weights and "
                  "connections are published ones");
  study::ColumnRecipe &column = flags.column;
  if (options.isGiven("neurons"))
    column.scale = double(flags.recipe.neurons) / study::columnNeurons();
  if (options.isGiven("inputs"))
    column.inputs = flags.recipe.inputs;
  if (options.isGiven("steps"))
    column.steps = flags.recipe.steps;
  column.seed = flags.recipe.seed;
  return study::writeColumn(column, flags.prefix);
}

/// Files named ".npz" in a folder are hidden and come of a forgotten name.
void checkPrefix(const std::string &prefix) {
  if (prefix.empty() || prefix.back() == '/')
    throw Error("generate: expected a path with a name at its end, found '" +
                prefix + "'; write '" + prefix + "net'");
}

std::string generate(GenerateFlags &flags,
                     const options::CommandOptions &options) {
  checkPrefix(flags.prefix);
  if (options.isGiven("threshold"))
    flags.recipe.threshold = flags.threshold;
  if (flags.mode == kColumn)
    return makeColumn(flags, options);
  if (options.isGiven("scale"))
    throw Error("generate: expected scale of --recipe only with --mode "
                "microcircuit");
  return makeStudy(flags);
}

void bind(options::CommandOptions &options, GenerateFlags &flags) {
  study::Recipe &recipe = flags.recipe;
  options.bind("PREFIX", flags.prefix);
  options.bind("mode", flags.mode);
  options.bind("neurons", recipe.neurons);
  options.bind("cores", recipe.cores);
  options.bind("steps", recipe.steps);
  options.bind("seed", recipe.seed);
  options.bindKeys("recipe", options::Place::Recipe);
  options.bind("scale", flags.column.scale);
  options.exclude("scale", "neurons");
  options.bind("inputs", recipe.inputs);
  options.bind("fanout", recipe.fanout);
  options.bind("reach", recipe.reach);
  options.bind("anywhere", recipe.anywhere);
  options.bind("mapping", flags.mapping);
  options.bind("rate", recipe.rate);
  options.bind("in-rate", recipe.inputRate);
  options.bind("leak", recipe.leak);
  options.bind("wmax-in", recipe.inputWeight);
  options.bind("wmax-rec", recipe.weight);
  options.bind("threshold", flags.threshold);
}

} // namespace

void addGenerate(Command &command) {
  auto flags = std::make_shared<GenerateFlags>();
  options::CommandOptions &options = command.options;
  bind(options, *flags);
  command.run = [flags, &options] {
    const std::string text = generate(*flags, options);
    const char *prefix = flags->prefix.c_str();
    std::printf("%s\nwrote %s.npz and %s.json\n", text.c_str(), prefix, prefix);
  };
}

void generateSilently(const std::vector<std::string> &arguments) {
  GenerateFlags flags;
  options::CommandOptions options("generate");
  bind(options, flags);
  readArguments(options, arguments);
  generate(flags, options);
}

} // namespace dendrolith::driver
