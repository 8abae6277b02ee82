// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith plan`: what a network would take, before anything is built.

#include "runtime/driver/Command.h"

#include "runtime/session/plan/Format.h"
#include "simulator/report/result/ResultFolder.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace dendrolith::driver {
namespace {

struct PlanFlags {
  plan::Request request;
  std::string model, target, machine, format;
  std::vector<std::string> overrides;
  uint64_t cores = 0;
};

/// The speeds that a run of the functional engine on one thread showed, on a
/// chip whose neurons are of the same kind.
plan::Machine likeRun(const std::string &folder, const Target &target) {
  const nlohmann::ordered_json result = report::readResult(folder).json;
  try {
    const auto &total = result.at("counts").at("total");
    if (const std::string engine = result.at("engine"); engine != "functional")
      throw Error(folder +
                  ": expected a run of the functional engine, found "
                  "one of the engine '" +
                  printable(engine, 64) + "'");
    const auto sum = [](const nlohmann::ordered_json &numbers) {
      double all = 0;
      for (const auto &number : numbers.flatten())
        all += number.get<double>();
      return all;
    };
    const double steps = total.at("steps"),
                 seconds = result.at("wall_s").at("simulate");
    if (steps <= 0 || seconds <= 0)
      throw Error(folder + ": expected a run that took some time, found " +
                  fmt::format("{} steps in {} s", steps, seconds));
    const double updates = double(total.at("neuron_updates_active")) +
                           double(total.at("neuron_updates_inactive"));
    return plan::scaledTo(plan::measuredMachine(),
                          {updates / steps, sum(total.at("synops")) / steps,
                           sum(total.at("spikes")) / steps,
                           total.at("messages").get<double>() / steps,
                           !target.engines.has("cuba")},
                          seconds * 1e9 / steps, folder);
  } catch (const nlohmann::json::exception &error) {
    throw Error(folder + "/result.json: not a run whose time was taken: " +
                jsonReason(error));
  }
}

plan::Machine machineOf(const std::string &fileOrFolder, const Target &target) {
  if (fileOrFolder.empty())
    return plan::measuredMachine();
  return std::filesystem::is_directory(fileOrFolder)
             ? likeRun(fileOrFolder, target)
             : plan::readMachine(fileOrFolder);
}

void planNetwork(PlanFlags &flags, const options::CommandOptions &options) {
  plan::Request &request = flags.request;
  const Target target = Target::load(flags.target);
  request.chip.ignored.insert(flags.overrides.begin(), flags.overrides.end());
  if (options.isGiven("cores"))
    request.chip.cores = flags.cores;
  request.machine = machineOf(flags.machine, target);
  const plan::Description network = plan::readDescription(flags.model);
  const plan::ChipPlan chip = plan::planChip(network, target, request.chip);
  const plan::Answer answer{network, target, chip, request};
  std::fputs(flags.format == "json" ? formatJson(answer).c_str()
                                    : formatText(answer).c_str(),
             stdout);
}

} // namespace

void addPlan(Command &command) {
  auto flags = std::make_shared<PlanFlags>();
  options::CommandOptions &options = command.options;
  options.bind("MODEL", flags->model);
  options.bind("target", flags->target);
  options.bind("timing", flags->request.chip.timing);
  options.bind("cores", flags->cores);
  options.bind("override-limit", flags->overrides);
  options.bind("ranks", flags->request.run.ranks);
  options.bind("threads", flags->request.run.threads);
  options.bind("steps", flags->request.run.steps);
  options.bind("machine", flags->machine);
  options.bind("format", flags->format);
  command.run = [flags, &options] { planNetwork(*flags, options); };
}

} // namespace dendrolith::driver
