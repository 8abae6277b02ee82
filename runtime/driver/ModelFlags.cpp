// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/ModelFlags.h"

#include "runtime/driver/Terminal.h"

#include "compiler/pipelines/Rewrites.h"

namespace neurite::driver {

std::string modelHelp(const std::string &what) {
  return what + importExtensions();
}

void addModelFlags(CLI::App &command, session::ModelRequest &request) {
  request.listener = terminal();
  command
      .add_option("--target", request.compile.target,
                  "Chip: a name or a .yaml file")
      ->capture_default_str();
  command.add_option("--calibrate", request.calibrate,
                     "Samples that set the number ranges: X.npy or NAME=X.npy");
  command.add_option(
      "--weights", request.weights,
      "Arrays (.npz) for the extern constants of an .mlir model");
  command
      .add_option("--spikes", request.compile.spikes,
                  "How integers travel: graded (one message with a payload), "
                  "unary (a message per unit) or auto, as the target can")
      ->check(CLI::IsMember({"auto", "graded", "unary"}))
      ->capture_default_str();
  command.add_option("--input-bits", request.compile.inputBits,
                     "Bits of a real-valued input, sign included (else 8)");
  command.add_option("--min-cores", request.compile.minCores,
                     "Spread over at least so many cores: a population each "
                     "first, then the largest in parts");
  command
      .add_option(
          "--split-dendrite", request.compile.splitDendrite,
          "A neuron too wide for a core: wide, a number of parts, their "
          "sizes (5+6+5), or auto, as the mapper finds cheapest")
      ->capture_default_str();
  command.add_option("--placement", request.compile.placement,
                     "File that pins slices of populations to cores");
  command.add_option(
      "--solver", request.compile.solver,
      "Mapping solver: default, round-robin or packed (few cores); "
      "without it the model's own placement, else default");
  command.add_option("--override-limit", request.compile.overrideLimits,
                     "Limit of the chip to exceed by request, recorded in the "
                     "result");
  command
      .add_option("--rewrite", request.compile.rewrites,
                  "Change the network into a cheaper one (repeatable); the "
                  "result says what was changed and what was verified")
      ->check(CLI::IsMember(rewriteNames()))
      ->allow_extra_args(false);
  for (const Importer &importer : importers())
    for (const Importer::Option &option : importer.options)
      command.add_option_function<std::string>(
          "--" + option.name,
          [&request, name = option.name](const std::string &value) {
            setImportOption(request.import, name, value);
          },
          option.help);
}

std::string givenModelFlags(const CLI::App &command) {
  std::string given;
  for (const char *flag : {"--spikes", "--input-bits", "--min-cores",
                           "--split-dendrite", "--rewrite"})
    if (command.count(flag))
      given += (given.empty() ? "" : ", ") + std::string(flag);
  return given;
}

} // namespace neurite::driver
