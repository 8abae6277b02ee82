// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Timing.h"

#include <algorithm>

namespace neurite {

uint64_t zeroLoad(const NocTiming &noc, uint64_t hopsEw, uint64_t hopsNs) {
  return noc.local.inject + noc.local.forward + hopsEw * noc.east.forward +
         hopsNs * noc.north.forward + noc.local.eject;
}

uint64_t BarrierTiming::time(uint64_t tiles) const {
  tiles = std::max<uint64_t>(tiles, 1);
  switch (form) {
  case Form::Fixed:
  case Form::Handshake:
    return base;
  case Form::Formula:
    return base + span * (tiles - 1) / over;
  case Form::Table:
    for (const auto &[upTo, duration] : table)
      if (tiles <= upTo)
        return duration;
    return table.empty() ? 0 : table.back().second;
  case Form::Tree:
    break;
  }
  uint64_t levels = 0;
  for (uint64_t reached = 1; reached < tiles; reached *= arity)
    ++levels;
  return base + 2 * level * levels;
}

TimingSet TimingSet::forCore(uint64_t id) const {
  TimingSet set = *this;
  auto scale = timeScale.find(id);
  if (scale == timeScale.end())
    return set;
  for (uint64_t *time :
       {&set.updateInactive, &set.updateActive, &set.spikeEmit, &set.messageOut,
        &set.messageIn, &set.perSynapse.dense, &set.perSynapse.sparse,
        &set.perSynapse.conv, &set.perWord, &set.microcode.cycle})
    *time = *time * scale->second / 1000; // 10^12 * 10^6 fits 64 bits
  return set;
}

} // namespace neurite
