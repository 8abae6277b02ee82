// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith tune`: its flags, and what of a search is printed.

#include "runtime/driver/Command.h"
#include "runtime/driver/Terminal.h"
#include "runtime/explore/tune/Tune.h"
#include "runtime/options/ModelOptions.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

namespace dendrolith::driver {
namespace {

/// "0.5pt" is half a percentage point; a plain number is one of the score.
double keepOf(const std::string &text) {
  const bool points =
      text.size() > 2 && text.compare(text.size() - 2, 2, "pt") == 0;
  const std::string number = points ? text.substr(0, text.size() - 2) : text;
  char *end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end || !(value >= 0 && value < 100))
    throw options::UsageError("--keep: expected 0.5pt (of accuracy) or a "
                              "difference of the score, found '" +
                              text + "'");
  return points ? value / 100 : value;
}

/// What --minimise asks of the mapping, unless --map-for says something else.
const char *mappingFor(tuning::Objective objective) {
  switch (objective) {
  case tuning::Objective::Energy:
    return "energy";
  case tuning::Objective::Latency:
    return "time";
  case tuning::Objective::Words: // few cores have few, full lists
  case tuning::Objective::Cores:
    return "cores";
  }
  return "balanced";
}

/// The options that were given and that `compile` takes, too, but those which
/// tune sets itself; what --tuning held is written out.
std::string settingsOf(const options::CommandOptions &options) {
  std::string text, tuning;
  for (const options::Option *row : options.bound()) {
    const bool own = row->isArgument() || row->group == "Tuning" ||
                     row->name == "calibrate" || row->name == "weight-bits" ||
                     row->name == "held-out" || row->name == "tuning";
    if (own || !options.isGiven(row->name))
      continue;
    for (const std::string &value : options.valuesOf(row->name))
      if (row->isOnLine())
        text += (text.empty() ? "--" : " --") + row->name + " " + value;
      else
        tuning += fmt::format("{}{}: {}", tuning.empty() ? "" : ", ", row->name,
                              value);
  }
  if (!tuning.empty())
    text += (text.empty() ? "--tuning '{" : " --tuning '{") + tuning + "}'";
  return text;
}

void bindTuning(options::CommandOptions &options, tuning::TuneRequest &request,
                std::string &minimise) {
  options.bind("labels", request.labels);
  options.bind("out", request.folder);
  options.bind("keep", request.keepText);
  options.bind("minimise", minimise);
  options.bind("held-out", request.heldOut);
  options.bind("metric", request.run.metric);
  options.bind("test", request.test.inputs);
  options.bind("test-labels", request.test.labels);
  options.require("test", "test-labels");
  options.require("test-labels", "test");
  options.bind("timing", request.run.timing);
  options.bind("costs", request.run.costs);
  options.bind("threads", request.run.threads);
}

void tune(tuning::TuneRequest &request, const std::string &minimise,
          const options::CommandOptions &options) {
  request.keep = keepOf(request.keepText);
  request.objective = tuning::objectiveOf(minimise);
  if (request.run.model.calibrate.empty())
    throw options::UsageError("--calibrate is required");
  if (request.run.isProgram())
    throw Error("'" + request.run.path +
                "' is compiled already; tune the model that it was made from");
  CompileOptions &compile = request.run.model.compile;
  // Ctrl-C ends the search here and not the mapping of one point.
  compile.control = nullptr;
  compile.timing = request.run.timing;
  compile.costs = request.run.costs;
  request.settings = settingsOf(options);
  if (compile.mapFor.empty()) {
    compile.mapFor = mappingFor(request.objective);
    request.settings += fmt::format(
        "{}--map-for {}", request.settings.empty() ? "" : " ", compile.mapFor);
  }
  for (const auto &[flag, value] : {std::pair("--timing", request.run.timing),
                                    std::pair("--costs", request.run.costs)})
    if (!value.empty())
      request.settings += fmt::format(" {} {}", flag, value);
  std::fputs(tuning::tune(request).text.c_str(), stdout);
}

} // namespace

void addTune(Command &command) {
  auto request = std::make_shared<tuning::TuneRequest>();
  auto minimise = std::make_shared<std::string>();
  options::CommandOptions &options = command.options;
  options.bind("MODEL", request->run.path);
  bindTuning(options, *request, *minimise);
  useTerminal(request->run.model);
  bindModel(options, request->run.model);
  command.run = [request, minimise, &options] {
    withMemoryFor(request->run.path,
                  [&] { tune(*request, *minimise, options); });
  };
}

} // namespace dendrolith::driver
