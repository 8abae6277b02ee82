// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps that the objective looks at: those of the sampled ticks, or, where
// only rates are known, one period of a chip that does the same in each.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPCLOCK_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPCLOCK_H

#include "compiler/mapping/network/Network.h"

namespace dendrolith {

class StepClock {
public:
  /// No more steps than this are looked at, so that loads stay small; long
  /// periods leave room for few ticks.
  static constexpr uint32_t kMostSteps = 160;

  explicit StepClock(const MapNetwork &network);

  bool sampled = false; ///< else there are only rates
  uint32_t steps = 1;
  uint32_t samples = 1, ticks = 1; ///< that are looked at

  /// Calls visit(step, weight) for each step in which an element with this
  /// schedule emits: weight 1, or its part of the rate where nothing more is
  /// known. `activity` has a word for each tick of the schedule, and may be
  /// null.
  template <class Visit>
  void forEachEmission(const MapSchedule &schedule, const uint64_t *activity,
                       double rate, Visit visit) const {
    if (!sampled || !activity) {
      if (rate > 0)
        forEachUpdate(schedule, [&](uint32_t step, uint32_t) {
          visit(step, rate / schedule.ticks);
        });
      return;
    }
    for (uint32_t part = 0; part < schedule.ticks; ++part)
      for (uint64_t bits = activity[part] & all(); bits != 0;
           bits &= bits - 1) {
        auto bit = uint32_t(__builtin_ctzll(bits));
        visit(stepOf(schedule, bit / sampleTicks, bit % sampleTicks, part),
              1.0);
      }
  }

  /// Calls visit(step, bit) for each step in which a population with this
  /// schedule updates, with the bit of its tick.
  template <class Visit>
  void forEachUpdate(const MapSchedule &schedule, Visit visit) const {
    for (uint32_t sample = 0; sample < samples; ++sample)
      for (uint32_t tick = 0; tick < ticks; ++tick)
        for (uint32_t part = 0; part < schedule.ticks; ++part)
          visit(stepOf(schedule, sample, tick, part),
                sample * sampleTicks + tick);
  }

  /// The ticks of a sample that follow `ticks` after those of `bits`.
  uint64_t delayed(uint64_t bits, uint32_t by) const;
  /// The ticks of `bits` and all that follow them in the same sample.
  uint64_t andLater(uint64_t bits) const;
  /// All ticks.
  uint64_t all() const { return from[0]; }

private:
  /// `part` counts the ticks of the schedule in a root tick.
  uint32_t stepOf(const MapSchedule &schedule, uint32_t sample, uint32_t tick,
                  uint32_t part) const {
    return wrapped(sample * stepsPerSample + schedule.phase + period * tick +
                   schedule.stride * part);
  }
  uint32_t wrapped(uint32_t step) const {
    return step < steps ? step : step % steps;
  }
  void countTicks();

  uint32_t period = 1, stepsPerSample = 1, sampleTicks = 1;
  /// Bits of the ticks that are looked at, by tick: from that one of each
  /// sample on. They are asked for at every neuron and source.
  std::vector<uint64_t> from{1};
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPCLOCK_H
