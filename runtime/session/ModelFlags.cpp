// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ModelFlags.h"

#include "runtime/session/BitsText.h"

#include "compiler/pipelines/Rewrites.h"

#include <CLI/CLI.hpp>

#include <charconv>

namespace dendrolith::session {

/// "MIN:MAX", "MIN:", ":MAX" or one number for both.
static void setCores(const std::string &text, CompileOptions &options) {
  auto number = [&](const std::string &part) -> unsigned {
    if (part.empty())
      return 0;
    unsigned value = 0;
    auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value == 0)
      throw CLI::ValidationError(
          "--cores",
          "expected MIN:MAX with numbers from 1 on, found '" + text + "'");
    return value;
  };
  size_t colon = text.find(':');
  options.minCores = number(text.substr(0, colon));
  options.maxCores = colon == std::string::npos
                         ? options.minCores
                         : number(text.substr(colon + 1));
  if (options.maxCores && options.minCores > options.maxCores)
    throw CLI::ValidationError("--cores", "'" + text +
                                              "' asks for more cores at the "
                                              "least than at the most");
  if (!options.minCores && !options.maxCores)
    throw CLI::ValidationError("--cores",
                               "expected MIN:MAX, found '" + text + "'");
}

/// How weights become integers.
static void addQuantiserFlags(CLI::App &command, QuantiserOptions &options) {
  command
      .add_option("--quantise", options.method,
                  "How weights get their steps: max (the largest fills the "
                  "mantissa), percentile (all but one in a thousand do), mse "
                  "(least error of the weights) or search (least error of what "
                  "neurons sum up, on the calibration samples); auto: search "
                  "where a weight has fewer than 8 bits, else max")
      ->check(CLI::IsMember({"auto", "max", "percentile", "mse", "search"}))
      ->capture_default_str();
  command
      .add_option(
          "--round", options.rounding,
          "nearest, or adaptive: weights make up for what others lost "
          "in rounding, on the calibration samples; auto: adaptive where "
          "auto searches steps and there are samples, else nearest")
      ->check(CLI::IsMember({"auto", "nearest", "adaptive"}))
      ->capture_default_str();
  command
      .add_option("--threshold-scale", options.thresholdScale,
                  "neuron: fixed-function neurons have a step of their own, by "
                  "their thresholds; layer: one for all, but for --quantise "
                  "max and percentile, which always have one")
      ->check(CLI::IsMember({"neuron", "layer"}))
      ->capture_default_str();
  command.add_flag("!--no-bias-correction", options.correctBias,
                   "Leave biases as they are, where they else keep mean "
                   "potentials at those of the float network");
  command.add_flag("!--no-rescaling", options.rescaling,
                   "Leave the units of programs as they are, where a search "
                   "of steps else chooses units whose powers of two suit the "
                   "weights");
  command
      .add_option("--candidates", options.candidates,
                  "Of how many networks of integers the one is taken whose "
                  "answers to the calibration samples are closest to the float "
                  "network's: one, few or many of those that the flags above "
                  "leave open; auto: many with --quantise search, few where it "
                  "is auto and a weight has fewer than 8 bits, else one")
      ->check(CLI::IsMember({"auto", "one", "few", "many"}))
      ->capture_default_str();
}

static void addMappingFlags(CLI::App &command, CompileOptions &options) {
  command
      .add_option("--map-for", options.mapFor,
                  "What the mapping minimises: balanced (energy x time of a "
                  "step, or time where nothing is priced), time, energy, edp "
                  "or cores; without it a model's own placement stays, and "
                  "others are balanced")
      ->check(CLI::IsMember({"balanced", "time", "energy", "edp", "cores"}));
  command.add_option_function<std::string>(
      "--cores",
      [&options](const std::string &text) { setCores(text, options); },
      "Use so many cores: MIN:MAX, MIN:, :MAX or one number");
  command
      .add_option("--min-cores", options.minCores,
                  "Use at least so many cores, as --cores MIN: does")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--map-time", options.mapSeconds,
                  "Seconds after which the best mapping so far is taken; where "
                  "that happens, the result depends on the machine")
      ->check([](const std::string &text) {
        double seconds = 0;
        return CLI::detail::lexical_cast(text, seconds) && seconds > 0 &&
                       seconds < 1e9
                   ? std::string()
                   : "expected a number of seconds above 0, found '" + text +
                         "'";
      });
  command
      .add_option("--map-seed", options.mapSeed, "Seed of the mapping's search")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--map-constraints", options.constraints,
                     "File of what the mapping has to keep: pins, neurons "
                     "together or apart, dead cores, room that stays free");
  CLI::Option *from =
      command.add_option("--map-from", options.mapFrom,
                         "Start from the mapping of this image (.dlp) or "
                         "placement file, made before for a network like it");
  command
      .add_option("--max-moves", options.maxMoves,
                  "Neurons that may leave the cores that --map-from gives them "
                  "(else any number)")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 32))
      ->needs(from);
  command.add_option("--map-timing", options.timing,
                     "Timing set that the mapper predicts steps with; without "
                     "it that of the run");
  command.add_option("--map-costs", options.costs,
                     "Cost table that the mapper prices steps with; without it "
                     "that of the run");
}

/// The text of a flag, or that of the file it names.
static void addBitsFlag(CLI::App &command, const std::string &flag,
                        std::string &text, const std::string &help) {
  command.add_option_function<std::string>(
      flag,
      [flag, &text](const std::string &value) { text = bitsText(flag, value); },
      help);
}

void addModelFlags(CLI::App &command, ModelRequest &request) {
  command.option_defaults()->group("Network and chip");
  command
      .add_option("--target", request.compile.target,
                  "Chip: a name, a folder or a .yaml file; ,KEY=VALUE changes "
                  "a number, a list (a+b), a time or a price of it")
      ->capture_default_str();
  command.add_option("--calibrate", request.calibrate,
                     "Samples that set the number ranges: X.npy or NAME=X.npy");
  command
      .add_option("--steps", request.steps,
                  "Steps to run a network that has no inputs")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 32));
  command.add_option(
      "--weights", request.weights,
      "Arrays (.npz) for the extern constants of an .mlir model");
  command
      .add_option("--spikes", request.compile.spikes,
                  "How integers travel: graded (one message with a payload), "
                  "unary (a message per unit) or auto, as the target can")
      ->check(CLI::IsMember({"auto", "graded", "unary"}))
      ->capture_default_str();
  addBitsFlag(command, "--weight-bits", request.compile.weightBits,
              "Bits of weights, at most as many as the chip has, in which "
              "synapse lists are stored, too: 4, 8,4,4 for each projection in "
              "order, L1=4,R=8 by name, or a YAML or JSON file {L1: 4, R: 8}");
  addBitsFlag(command, "--state-bits", request.compile.stateBits,
              "The same for states of neurons that run as programs, by "
              "population");
  addBitsFlag(command, "--input-bits", request.compile.inputBits,
              "The same for real-valued inputs, sign included (else 8)");
  addQuantiserFlags(command, request.compile.quantiser);
  command.option_defaults()->group("Mapping");
  addMappingFlags(command, request.compile);
  command
      .add_option(
          "--split-dendrite", request.compile.splitDendrite,
          "A neuron too wide for a core: wide, a number of parts, groups of "
          "states by slices (4x2), sizes of slices (5+6+5), each for one "
          "population (H0=4) and with a front neuron (4/front) if so given, or "
          "auto, as the mapper finds cheapest")
      ->capture_default_str();
  command.add_option("--placement", request.compile.placement,
                     "File that pins slices of populations to cores");
  command.add_option(
      "--solver", request.compile.solver,
      "Mapping solver: default, or to compare with round-robin, packed (few "
      "cores) or iterative-split (layer by layer); "
      "without it the model's own placement, else default");
  command.add_option("--override-limit", request.compile.overrideLimits,
                     "Limit of the chip to exceed by request, recorded in the "
                     "result");
  command.option_defaults()->group("Network and chip");
  command
      .add_option("--rewrite", request.compile.rewrites,
                  "Change the network into a cheaper one (repeatable); the "
                  "result says what was changed and what was verified")
      ->check(CLI::IsMember(rewriteNames()))
      ->allow_extra_args(false);
  command.option_defaults()->group("Conventions of the file");
  for (const Importer &importer : importers())
    for (const Importer::Option &option : importer.options)
      command.add_option_function<std::string>(
          "--" + option.name,
          [&request, name = option.name](const std::string &value) {
            setImportOption(request.import, name, value);
          },
          option.help);
}

} // namespace dendrolith::session
