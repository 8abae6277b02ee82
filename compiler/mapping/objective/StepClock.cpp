// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/StepClock.h"

#include <algorithm>

namespace dendrolith {

StepClock::StepClock(const MapNetwork &network)
    : period(std::max(network.period, 1u)) {
  uint32_t depth = 1; // steps of a tick, from the first phase to the last
  auto include = [&](const MapSchedule &schedule) {
    depth = std::max(
        depth, schedule.phase +
                   schedule.stride * (std::max(schedule.ticks, 1u) - 1) + 1);
  };
  bool known = network.samples > 0 && network.sampledTicks > 0;
  bool any = false;
  for (size_t i = 0; i < network.inputs.size(); ++i) {
    include(network.inputs[i].schedule);
    any |=
        i < network.inputActivity.size() && !network.inputActivity[i].empty();
  }
  for (size_t p = 0; p < network.populations.size(); ++p) {
    include(network.populations[p].schedule);
    any |= p < network.populationActivity.size() &&
           !network.populationActivity[p].empty();
  }
  sampled = known && any;
  if (!sampled) {
    // Populations of all phases have their turn in one period.
    steps = stepsPerSample = period;
    return;
  }
  sampleTicks = network.sampledTicks;
  ticks = sampleTicks;
  while (ticks > 1 && (ticks - 1) * period + depth > kMostSteps)
    --ticks;
  stepsPerSample = (ticks - 1) * period + depth;
  samples = std::clamp(kMostSteps / stepsPerSample, 1u, network.samples);
  steps = samples * stepsPerSample;
  countTicks();
}

void StepClock::countTicks() {
  from.assign(ticks, 0);
  for (uint32_t tick = ticks; tick-- > 0;) {
    for (uint32_t sample = 0; sample < samples; ++sample)
      from[tick] |= uint64_t(1) << (sample * sampleTicks + tick);
    if (tick + 1 < ticks)
      from[tick] |= from[tick + 1];
  }
}

uint64_t StepClock::delayed(uint64_t bits, uint32_t by) const {
  return by >= ticks ? 0 : (bits << by) & from[by];
}

uint64_t StepClock::andLater(uint64_t bits) const {
  bits &= all();
  for (uint32_t by = 1; by < ticks; by *= 2)
    bits |= delayed(bits, by);
  return bits;
}

} // namespace dendrolith
