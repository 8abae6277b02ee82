// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Commands.h"
#include "targets/loader/CostTable.h"
#include "targets/loader/Discovery.h"
#include "targets/loader/Target.h"

#include <cstdio>
#include <memory>

namespace neurite::driver {

void addTargets(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("targets", "List the chips, or describe one");
  command->footer("Example: neurite targets loihi1");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "Name, folder or .yaml file of a chip");
  command->callback([name] {
    if (!name->empty()) {
      Target target = Target::load(*name);
      std::fputs(describe(target).c_str(), stdout);
      return;
    }
    for (const std::string &folder : ownDirs())
      if (targetsIn(folder).empty())
        throw Error("NEURITE_TARGETS: '" + folder +
                    "' holds no chip, expected folders with a chip.yaml in it");
    const std::vector<std::string> names = listTargets();
    if (names.empty())
      throw Error("no chips found, set NEURITE_TARGETS to the folder that "
                  "holds them");
    for (const std::string &each : names)
      std::puts(summary(Target::load(each)).c_str());
  });
}

} // namespace neurite::driver
