// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Commands.h"
#include "targets/loader/Describe.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Area.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/price/CostTable.h"

#include <cstdio>
#include <memory>

namespace dendrolith::driver {

void addTargets(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("targets", "List the chips, or describe one");
  command->footer("Example: dendrolith targets loihi1");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "Name, folder or .yaml file of a chip");
  auto area = std::make_shared<bool>(false);
  command->add_flag("--area", *area,
                    "Compare areas with those that are published");
  command->callback([name, area] {
    if (!name->empty()) {
      Target target = Target::load(*name);
      std::fputs((*area ? compareAreas({target}) : describe(target)).c_str(),
                 stdout);
      return;
    }
    for (const std::string &folder : ownDirs())
      if (targetsIn(folder).empty())
        throw Error("DENDROLITH_TARGETS: '" + folder +
                    "' holds no chip, expected folders with a chip.yaml in it");
    const std::vector<std::string> names = listTargets();
    if (names.empty())
      throw Error("no chips found, set DENDROLITH_TARGETS to the folder that "
                  "holds them");
    std::vector<Target> targets;
    for (const std::string &each : names)
      targets.push_back(Target::load(each));
    if (*area)
      std::fputs(compareAreas(targets).c_str(), stdout);
    for (const Target &target : targets)
      if (!*area)
        std::puts(summary(target).c_str());
  });
}

} // namespace dendrolith::driver
