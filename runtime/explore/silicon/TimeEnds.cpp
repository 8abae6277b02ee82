// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/TimeEnds.h"

namespace dendrolith::silicon {

bool isSlowerWithMore(const std::string &unit) { return unit != "flits"; }

Target atTimeEnds(const Target &chip, const TimingSet &timing, bool slow) {
  Target made = chip;
  for (const Record &record : timing.records)
    if (!record.low.empty())
      made.set("timing." + timing.name + "." + record.name,
               slow == isSlowerWithMore(record.unit) ? record.high
                                                     : record.low);
  return made;
}

} // namespace dendrolith::silicon
