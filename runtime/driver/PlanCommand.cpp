// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `neurite plan`: what a network would take, before anything is built.

#include "runtime/driver/Commands.h"

#include "runtime/session/plan/Format.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <memory>

namespace neurite::driver {
namespace {

struct PlanFlags {
  plan::Request request;
  std::string model, target = "loihi1", machine, format = "text";
  std::vector<std::string> overrides;
  uint64_t cores = 0;
};

void run(PlanFlags &flags, const CLI::App &command) {
  plan::Request &request = flags.request;
  const Target target = Target::load(flags.target);
  request.chip.ignored.insert(flags.overrides.begin(), flags.overrides.end());
  if (command.count("--cores"))
    request.chip.cores = flags.cores;
  request.machine = flags.machine.empty() ? plan::measuredMachine()
                                          : plan::readMachine(flags.machine);
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
  command->footer("Example: neurite plan column.yaml --target loihi1");
  auto flags = std::make_shared<PlanFlags>();
  command
      ->add_option("MODEL", flags->model,
                   "Description (.yaml, .json), or a network that neurite "
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
  command->add_option("--format", flags->format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([flags, command] { run(*flags, *command); });
}

} // namespace neurite::driver
