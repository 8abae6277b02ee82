// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith plan`: what a network would take, before anything is built.

#include "runtime/driver/Commands.h"

#include "runtime/session/plan/Format.h"
#include "simulator/report/ReadResult.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace dendrolith::driver {
namespace {

struct PlanFlags {
  plan::Request request;
  std::string model, target = "loihi1", machine, like, format = "text";
  std::vector<std::string> overrides;
  uint64_t cores = 0;
};

/// The speeds that a run of the functional engine on one thread showed.
plan::Machine likeRun(const plan::Machine &machine, const std::string &folder) {
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
    return plan::scaledTo(machine,
                          {updates / steps, sum(total.at("synops")) / steps,
                           sum(total.at("spikes")) / steps},
                          seconds * 1e9 / steps, folder);
  } catch (const nlohmann::json::exception &error) {
    throw Error(folder + "/result.json: not a run whose time was taken: " +
                printable(error.what(), 256));
  }
}

void planNetwork(PlanFlags &flags, const CLI::App &command) {
  plan::Request &request = flags.request;
  const Target target = Target::load(flags.target);
  request.chip.ignored.insert(flags.overrides.begin(), flags.overrides.end());
  if (command.count("--cores"))
    request.chip.cores = flags.cores;
  request.machine = flags.machine.empty() ? plan::measuredMachine()
                                          : plan::readMachine(flags.machine);
  if (!flags.like.empty())
    request.machine = likeRun(request.machine, flags.like);
  const plan::Description network = plan::readDescription(flags.model);
  const plan::ChipPlan chip = plan::planChip(network, target, request.chip);
  const plan::Answer answer{network, target, chip, request};
  std::fputs(flags.format == "json" ? formatJson(answer).c_str()
                                    : formatText(answer).c_str(),
             stdout);
}

} // namespace

void addPlan(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "plan", "Say what a network would take on a chip and on this machine, "
              "from sizes and rates alone");
  command->footer("Example: dendrolith plan column.yaml --target loihi1");
  auto flags = std::make_shared<PlanFlags>();
  command
      ->add_option("MODEL", flags->model,
                   "Description (.yaml, .json), or a network that dendrolith "
                   "generate made (.npz), of which its .json is read")
      ->required();
  command->add_option("--target", flags->target, "Chip, or a board of them")
      ->capture_default_str();
  command->add_option("--timing", flags->request.chip.timing,
                      "Timing set of the chip; else its own");
  command
      ->add_option("--cores", flags->cores,
                   "Spread over so many cores, instead of the fewest")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 40));
  command->add_option("--override-limit", flags->overrides,
                      "Limit that may be exceeded: compartments_per_core, "
                      "synapse_memory_words, in_axons, out_axons");
  command
      ->add_option("--ranks", flags->request.ranks,
                   "Processes that share the network, each with its part")
      ->capture_default_str()
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 20));
  command->add_option("--threads", flags->request.threads, "Threads of each")
      ->capture_default_str()
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 16));
  command->add_option("--steps", flags->request.steps, "Steps of a run")
      ->capture_default_str()
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 50));
  command->add_option("--machine", flags->machine,
                      "Speeds of another machine (.yaml)");
  command->add_option("--like", flags->like,
                      "Result (--out) of a smaller network of the same kind, "
                      "from the functional engine on one thread: times here "
                      "follow from how long it took");
  command->add_option("--format", flags->format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([flags, command] { planNetwork(*flags, *command); });
}

} // namespace dendrolith::driver
