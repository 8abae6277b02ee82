// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/StageUse.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith::explore {

std::vector<StageUse> stageUseOf(const std::vector<StoredPoint> &points) {
  std::vector<StageUse> stages;
  for (const StoredPoint &stored : points) {
    if (!stored.effort)
      continue;
    for (const Effort::Stage &each : stored.effort->stages) {
      auto stage =
          std::find_if(stages.begin(), stages.end(), [&](const StageUse &use) {
            return use.name == each.name;
          });
      if (stage == stages.end())
        stage = stages.insert(stages.end(), {each.name, 0, 0, 0});
      // What took no time was part of another stage.
      if (each.reused)
        ++stage->reused;
      else if (each.seconds > 0)
        ++stage->done;
      stage->seconds += each.reused ? 0 : each.seconds;
    }
  }
  return stages;
}

std::string textOf(const std::vector<StageUse> &stages) {
  std::string text;
  for (const StageUse &stage : stages)
    text += fmt::format("{}{} {} of {} ({:.1f} s)", text.empty() ? "" : ", ",
                        stage.name, stage.done, stage.done + stage.reused,
                        stage.seconds);
  return text;
}

} // namespace dendrolith::explore
