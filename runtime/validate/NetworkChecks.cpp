// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks when groups and inputs have their ticks.

#include "runtime/validate/NetworkChecks.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>

using namespace dendrolith;

void check::checkSchedule(const image::Schedule &schedule) {
  if (schedule.period() < 1 || schedule.period() > check::kMaxPeriod)
    throw Error(fmt::format("schedule: expected a period of 1 to {} steps, "
                            "found {}",
                            check::kMaxPeriod, schedule.period()));
  if (schedule.depth() < 1 || schedule.depth() > check::kMaxDepth)
    throw Error(fmt::format("schedule: expected a depth of 1 to {} steps, "
                            "found {}",
                            check::kMaxDepth, schedule.depth()));
}

static void checkPhase(const std::string &place, uint32_t phase,
                       const image::Schedule &schedule) {
  if (phase >= schedule.depth())
    throw Error(fmt::format("{}: expected a phase below the schedule's depth "
                            "{}, found {}",
                            place, schedule.depth(), phase));
}

void check::checkTickSchedule(const std::string &place, const TickSchedule &own,
                              const image::Schedule &schedule) {
  checkPhase(place, own.phase, schedule);
  if ((own.ticks - 1) * own.stride >= schedule.period())
    throw Error(fmt::format("{}: expected ticks within a period of {} steps, "
                            "found {} ticks {} apart",
                            place, schedule.period(), own.ticks, own.stride));
}

uint64_t check::leastGap(const TickSchedule &own,
                         const image::Schedule &schedule) {
  uint64_t across = schedule.period() - (own.ticks - 1) * own.stride;
  return own.ticks == 1 ? across : std::min(own.stride, across);
}
