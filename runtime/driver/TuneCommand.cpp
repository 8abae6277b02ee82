// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith tune`: its flags, and what of a search is printed.

#include "runtime/driver/Commands.h"
#include "runtime/driver/ModelFlags.h"
#include "runtime/explore/tune/Tune.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace dendrolith::driver {
namespace {

/// "0.5pt" is half a percentage point; a plain number is one of the score.
double keepOf(const std::string &text) {
  const bool points =
      text.size() > 2 && text.compare(text.size() - 2, 2, "pt") == 0;
  double value = 0;
  if (!CLI::detail::lexical_cast(
          points ? text.substr(0, text.size() - 2) : text, value) ||
      !(value >= 0 && value < 100))
    throw CLI::ValidationError("--keep", "expected 0.5pt (of accuracy) or a "
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

/// The flags that were given and that `compile` takes, too, but those which
/// tune sets itself.
std::string settingsOf(const CLI::App &command) {
  std::string text;
  for (const CLI::Option *option : command.get_options()) {
    const std::string name =
        "--" + (option->get_lnames().empty() ? std::string()
                                             : option->get_lnames().front());
    const bool own = option->get_group() == "Tuning" || name == "--calibrate" ||
                     name == "--weight-bits" || name == "--";
    if (own || option->count() == 0)
      continue;
    if (option->get_items_expected_max() == 0) { // a flag without a value
      text += (text.empty() ? "" : " ") + name;
      continue;
    }
    for (const std::string &value : option->results())
      text += (text.empty() ? "" : " ") + name + " " + value;
  }
  return text;
}

void addTuningFlags(CLI::App &command, tuning::TuneRequest &request,
                    std::string &minimise) {
  command.option_defaults()->group("Tuning");
  command
      .add_option("--labels", request.labels,
                  "Y.npy: an answer for each sample of --calibrate")
      ->required();
  command
      .add_option("--out", request.folder,
                  "Folder for best.dlp, tune.json, pareto.csv and the points, "
                  "which a second search with it goes on from")
      ->required();
  command.add_option("--keep", request.keepText,
                     "How far the score may be below that of the float "
                     "network: 0.5pt are percentage points of accuracy, a "
                     "plain number is one of the score");
  request.keepText = "0.5pt";
  command
      .add_option("--minimise", minimise,
                  "energy (of events, per sample), words (of synapse memory), "
                  "cores or latency (of a sample, by the cycle engine)")
      ->check(CLI::IsMember({"energy", "words", "cores", "latency"}))
      ->capture_default_str();
  command
      .add_option("--held-out", request.heldOut,
                  "Share of the samples that judge and do not calibrate")
      ->check(CLI::Range(0.01, 0.99))
      ->capture_default_str();
  command.add_option("--metric", request.run.metric,
                     "accuracy or r2, with [:mean|:last=N|:each], as for run");
  CLI::Option *test =
      command.add_option("--test", request.test.inputs,
                         "X.npy or NAME=X.npy: samples that judge the winner "
                         "once, at the end");
  CLI::Option *labels =
      command.add_option("--test-labels", request.test.labels,
                         "Y.npy: an answer for each sample of --test");
  test->needs(labels);
  labels->needs(test);
  command.add_option("--timing", request.run.timing,
                     "Timing set of the chip (--minimise latency)");
  command.add_option("--costs", request.run.costs,
                     "Cost table: a name or a .yaml file");
  command
      .add_option("--threads", request.run.threads,
                  "Samples at a time in the functional engine; 0 = one per "
                  "processor")
      ->capture_default_str();
}

void tune(tuning::TuneRequest &request, const std::string &minimise,
          const CLI::App &command) {
  request.keep = keepOf(request.keepText);
  request.objective = tuning::objectiveOf(minimise);
  if (request.run.model.calibrate.empty())
    throw CLI::RequiredError("--calibrate");
  if (request.run.isProgram())
    throw Error("'" + request.run.path +
                "' is compiled already; tune the model that it was made from");
  CompileOptions &compile = request.run.model.compile;
  // Ctrl-C ends the search here and not the mapping of one point.
  compile.control = nullptr;
  compile.timing = compile.timing.empty() ? request.run.timing : compile.timing;
  compile.costs = compile.costs.empty() ? request.run.costs : compile.costs;
  request.settings = settingsOf(command);
  if (compile.mapFor.empty()) {
    compile.mapFor = mappingFor(request.objective);
    request.settings += fmt::format(
        "{}--map-for {}", request.settings.empty() ? "" : " ", compile.mapFor);
  }
  for (const auto &[flag, value] :
       {std::pair("--map-timing", request.run.timing),
        std::pair("--map-costs", request.run.costs)})
    if (!value.empty() && command.count(flag) == 0)
      request.settings += fmt::format(" {} {}", flag, value);
  std::fputs(tuning::tune(request).text.c_str(), stdout);
}

} // namespace

void addTune(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "tune", "The cheapest bits of each layer that keep the answers");
  command->footer(
      "Example: dendrolith tune net.nir --target loihi1 --calibrate "
      "calib_x.npy --labels calib_y.npy --keep 0.5pt --minimise "
      "words --out tuned");
  auto request = std::make_shared<tuning::TuneRequest>();
  auto minimise = std::make_shared<std::string>("energy");
  command
      ->add_option("MODEL", request->run.path, modelHelp("Trained network: "))
      ->required();
  addTuningFlags(*command, *request, *minimise);
  addModelFlags(*command, request->run.model);
  command->callback([request, minimise, command] {
    withMemoryFor(request->run.path,
                  [&] { tune(*request, *minimise, *command); });
  });
}

} // namespace dendrolith::driver
