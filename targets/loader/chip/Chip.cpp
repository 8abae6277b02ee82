// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Chip.h"

#include "targets/loader/chip/Counters.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith {

const TimingSet &Chip::timing(const std::string &wanted) const {
  const std::string &set = wanted.empty() ? defaultTiming : wanted;
  std::vector<std::string> names;
  for (const TimingSet &timing : timings) {
    if (timing.name == set)
      return timing;
    names.push_back(timing.name);
  }
  throw Error(fmt::format("target '{}' has no timing set '{}', expected one of "
                          "{}{}",
                          name, printable(set), joinWords(names),
                          suggestion(set, names)));
}

std::string shapeDifference(const Chip &compiled, const Chip &wanted) {
  const std::vector<Record> &a = compiled.records, &b = wanted.records;
  for (size_t i = 0; i < a.size() || i < b.size(); ++i) {
    if (i >= a.size() || i >= b.size() || a[i].name != b[i].name)
      return fmt::format("one of them has '{}'",
                         i < a.size() ? a[i].name : b[i].name);
    if (a[i].value != b[i].value)
      return fmt::format("'{}' is {} there and {} here", a[i].name, a[i].value,
                         b[i].value);
  }
  const Mesh &had = compiled.mesh, &has = wanted.mesh;
  if (had.chipsX != has.chipsX || had.chipsY != has.chipsY)
    return fmt::format("'board' has {} by {} chips there and {} by {} here",
                       had.chipsX, had.chipsY, has.chipsX, has.chipsY);
  return "";
}

std::vector<std::string> Chip::events() const {
  std::vector<std::string> possible;
  for (Counter event : energyEvents()) {
    const std::string name = counterName(event);
    auto happens = [&] {
      switch (rowOf(event).needs) {
      case CounterNeeds::Nothing:
        return true;
      case CounterNeeds::BinarySpikes:
        return spikes.binary;
      case CounterNeeds::GradedSpikes:
        return spikes.graded;
      case CounterNeeds::Joins:
        return engines.hasJoin(name.substr(name.rfind('.') + 1));
      case CounterNeeds::Programs:
        return engines.has("microcode");
      case CounterNeeds::Boards: // Cost tables may be silent about them.
      case CounterNeeds::CycleEngine:
        return false;
      }
      return false;
    };
    if (happens())
      possible.push_back(name);
  }
  return possible;
}

} // namespace dendrolith
