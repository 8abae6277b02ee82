// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When groups and inputs have their ticks.

#include "runtime/NetworkChecks.h"
#include "targets/Error.h"

#include <algorithm>
#include <fmt/format.h>

using namespace neurite;

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

void check::checkRhythm(const std::string &place, const Rhythm &rhythm,
                        const image::Schedule &schedule) {
  checkPhase(place, rhythm.phase, schedule);
  if ((rhythm.ticks - 1) * rhythm.stride >= schedule.period())
    throw Error(fmt::format("{}: expected ticks within a period of {} steps, "
                            "found {} ticks {} apart",
                            place, schedule.period(), rhythm.ticks,
                            rhythm.stride));
}

uint64_t check::leastGap(const Rhythm &rhythm,
                         const image::Schedule &schedule) {
  uint64_t across = schedule.period() - (rhythm.ticks - 1) * rhythm.stride;
  return rhythm.ticks == 1 ? across : std::min(rhythm.stride, across);
}
