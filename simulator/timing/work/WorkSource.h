// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who says what cores and host send in a step, and how much work lies between
// two messages. Values never depend on times. So the engine takes them alike
// whether they are computed on the way (LiveWork.h) or were recorded in an
// earlier run with other times (RecordedWork.h).

#ifndef DENDROLITH_SIMULATOR_TIMING_WORK_WORKSOURCE_H
#define DENDROLITH_SIMULATOR_TIMING_WORK_WORKSOURCE_H

#include "simulator/timing/messages/MessageStream.h"
#include "simulator/timing/phases/SerialStep.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// What a core visits in a step, which follows from the schedule.
struct Visits {
  bool any = false;     ///< a group is updated, or has units to send
  uint64_t neurons = 0; ///< that are updated
};
Visits visitsOf(const Machine &machine, uint32_t core, uint64_t step,
                uint64_t ticks);

/// The steps, modulo the period, in which the host may send: it injects in
/// these alone.
std::vector<bool> inputStepsOf(const Machine &machine);

class WorkSource {
public:
  virtual ~WorkSource() = default;

  /// Hears of every emission where cores serve first and update then.
  SerialStep *serial = nullptr;

  virtual uint64_t samples() const = 0;
  /// Ticks of the schedule in a sample.
  virtual uint64_t ticksOf(uint64_t sample) const = 0;

  /// Adds to the core's stream what it sends in the step, and returns the ps
  /// that its engine works behind the last message. Each core has its steps
  /// in order; steps of different cores come in any order.
  virtual uint64_t update(uint32_t core, uint64_t sample, uint64_t step,
                          MessageStream &stream) = 0;
  /// The same of the host, which sends the inputs.
  virtual void inject(uint64_t sample, uint64_t step,
                      MessageStream &stream) = 0;
  /// Everything begins anew.
  virtual void endSample(uint64_t sample) = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORK_WORKSOURCE_H
