// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Command.h"
#include "targets/loader/Describe.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Area.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/price/CostTable.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace dendrolith::driver {

namespace {

struct TargetsFlags {
  std::string name, format;
};

std::vector<Target> allTargets() {
  for (const std::string &folder : ownDirs())
    if (targetsIn(folder).empty())
      throw Error("DENDROLITH_TARGETS: '" + folder +
                  "' holds no chip, expected folders with a chip.yaml in it");
  std::vector<Target> targets;
  for (const std::string &each : listTargets())
    targets.push_back(Target::load(each));
  if (targets.empty())
    throw Error("no chips found, set DENDROLITH_TARGETS to the folder that "
                "holds them");
  return targets;
}

void showTargets(const TargetsFlags &flags) {
  if (flags.name.empty()) {
    const std::vector<Target> targets = allTargets();
    if (flags.format == "json")
      std::puts(summaryJson(targets).dump(2).c_str());
    else
      for (const Target &target : targets)
        std::puts(summary(target).c_str());
    return;
  }
  const Target target = Target::load(flags.name);
  if (flags.format == "json")
    std::puts(describeJson(target).dump(2).c_str());
  else
    std::fputs(describe(target).c_str(), stdout);
}

} // namespace

void addTargets(Command &command) {
  auto flags = std::make_shared<TargetsFlags>();
  command.options.bind("NAME", flags->name);
  command.options.bind("format", flags->format);
  command.run = [flags] { showTargets(*flags); };
}

} // namespace dendrolith::driver
