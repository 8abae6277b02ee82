// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Command.h"
#include "targets/loader/Describe.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Area.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/price/CostTable.h"

#include <cstdio>
#include <memory>

namespace dendrolith::driver {

void addTargets(Command &command) {
  auto name = std::make_shared<std::string>();
  auto area = std::make_shared<bool>(false);
  command.options.bind("NAME", *name);
  command.options.bind("area", *area);
  command.run = [name, area] {
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
  };
}

} // namespace dendrolith::driver
