// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Timing.h"

#include <algorithm>
#include <cmath>

namespace dendrolith {

uint64_t zeroLoad(const NocTiming &noc, uint64_t hopsEw, uint64_t hopsNs,
                  uint64_t crossings) {
  return noc.local.inject + noc.local.forward + hopsEw * noc.east.forward +
         hopsNs * noc.north.forward + crossings * noc.crossing.forward +
         noc.local.eject;
}

uint64_t BarrierTiming::time(uint64_t tiles) const {
  tiles = std::max<uint64_t>(tiles, 1);
  switch (rule) {
  case Rule::Fixed:
    return base;
  case Rule::Formula:
    return base + span * (tiles - 1) / over;
  case Rule::Table:
    for (const auto &[upTo, duration] : table)
      if (tiles <= upTo)
        return duration;
    return table.empty() ? 0 : table.back().second;
  case Rule::Tree:
    break;
  }
  uint64_t levels = 0;
  for (uint64_t reached = 1; reached < tiles; reached *= arity)
    ++levels;
  return base + 2 * level * levels;
}

uint64_t TimingSet::barrierTime(uint64_t tiles, uint64_t chips) const {
  return barrier.time(tiles) + (chips > 1 ? board.time(chips) : 0);
}

/// The times of a core's engines.
static std::vector<uint64_t *> engineTimes(TimingSet &set) {
  std::vector<uint64_t *> times = {
      &set.updateInactive,    &set.updateActive,    &set.spikeEmit,
      &set.messageOut,        &set.messageIn,       &set.perSynapse.dense,
      &set.perSynapse.sparse, &set.perSynapse.conv, &set.firstEntry.dense,
      &set.firstEntry.sparse, &set.firstEntry.conv, &set.perWord,
      &set.microcode.cycle};
  for (TimingSet::PerSynapse *of : {&set.perSynapse, &set.firstEntry})
    if (of->uniform)
      times.push_back(&*of->uniform);
  if (set.serial)
    times.insert(times.end(), {&set.serial->perSpike, &set.serial->perDue});
  return times;
}

TimingSet TimingSet::forCore(uint64_t id) const {
  TimingSet set = *this;
  auto scale = timeScale.find(id);
  if (scale == timeScale.end())
    return set;
  for (uint64_t *time : engineTimes(set))
    *time = *time * scale->second / 1000; // 10^12 * 10^6 fits 64 bits
  return set;
}

double TimingSet::hasten(double cores, double chip) {
  double longest = 0;
  auto divide = [&](uint64_t &time, double speed) {
    const double slower = std::round(double(time) / speed);
    longest = std::max(longest, slower);
    time = slower < 1e18 ? uint64_t(slower) : UINT64_MAX;
  };
  for (uint64_t *time : engineTimes(*this))
    divide(*time, cores);
  for (PortTiming *port :
       {&noc.north, &noc.south, &noc.east, &noc.west, &noc.local})
    for (uint64_t *time : {&port->forward, &port->credit, &port->interval,
                           &port->inject, &port->eject})
      divide(*time, chip);
  for (uint64_t *time : {&noc.grid, &noc.turn, &reset, &barrier.base,
                         &barrier.span, &barrier.level})
    divide(*time, chip);
  if (serial && serial->sequencer)
    for (uint64_t *time :
         {&serial->sequencer->perCore, &serial->sequencer->perSpike,
          &serial->sequencer->idle, &serial->sequencer->busy,
          &serial->sequencer->perEntry})
      divide(*time, chip);
  for (auto &[tiles, time] : barrier.table)
    divide(time, chip);
  return longest;
}

} // namespace dendrolith
