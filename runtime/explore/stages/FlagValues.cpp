// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/FlagValues.h"

#include "runtime/session/ModelFlags.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <CLI/CLI.hpp>

#include <set>

namespace dendrolith::explore {

// The study says these by its own keys.
static const std::set<std::string> kOfStudy = {"target", "calibrate", "weights",
                                               "steps", "help"};

Stage stageOf(const std::string &flag) {
  // The limits that may be exceeded decide which neurons are divided.
  static const std::set<std::string> quantise = {
      "spikes",       "weight-bits", "state-bits",      "input-bits",
      "quantise",     "round",       "threshold-scale", "no-bias-correction",
      "no-rescaling", "candidates",  "split-dendrite",  "override-limit"};
  static const std::set<std::string> map = {
      "map-for",         "cores",     "min-cores", "map-time",
      "map-seed",        "map-from",  "max-moves", "map-timing",
      "map-constraints", "map-costs", "placement", "solver"};
  return quantise.count(flag) ? Stage::Quantise
         : map.count(flag)    ? Stage::Map
                              : Stage::Load;
}

session::ModelRequest requestWith(const Changes &flags) {
  session::ModelRequest request;
  if (flags.empty())
    return request;
  CLI::App app;
  session::addModelFlags(app, request);
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    if (!kOfStudy.count(option->get_single_name()))
      names.push_back(option->get_single_name());
  std::vector<std::string> words; // the last one first, as parse() takes them
  for (const auto &[name, value] : flags) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error("compile." + printable(name) + ": there is no such option" +
                  suggestion(name, names));
    words.insert(words.begin(), "--" + name + "=" + value);
  }
  try {
    app.parse(words);
  } catch (const CLI::ParseError &error) {
    throw Error("compile: " + std::string(error.what()));
  }
  return request;
}

} // namespace dendrolith::explore
