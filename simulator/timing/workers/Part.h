// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a worker of the cycle engine finds out about its samples, before
// anything is multiplied out: parts of several workers add up to what one
// worker would have found.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORKERS_PART_H
#define DENDROLITH_SIMULATOR_TIMING_WORKERS_PART_H

#include "runtime/host/Content.h"
#include "simulator/events/EventCounter.h"
#include "simulator/events/StepLimits.h"
#include "simulator/record/Recorder.h"
#include "simulator/timing/workers/Part.h"

namespace dendrolith::sim {

/// Which samples a worker of the cycle engine runs. Samples share nothing, so
/// that several workers give what one gives.
///
/// Sample `first` and each `stride`-th after it, so that a file whose samples
/// grow longer and longer keeps all workers busy.
struct Share {
  uint64_t first = 0, stride = 1;

  /// How many they are of all samples.
  uint64_t of(uint64_t samples) const {
    return first < samples ? (samples - first - 1) / stride + 1 : 0;
  }
};

struct Part {
  Part(const Machine &machine, const LimitedTraffic *limited)
      : events(machine), limits(limited) {}
  Part(EventCounter events, StepLimits limits, RunResult times)
      : events(std::move(events)), limits(std::move(limits)),
        times(std::move(times)) {}

  EventCounter events;
  StepLimits limits;
  RunResult times; // nothing else, and of counts only stalls
};

/// Adds the part of another worker of the same run, without a timeline.
void merge(Part &to, Part from);

/// From the worker to its caller, which has the same machine and the same
/// recorder: the part, and what was recorded of the share of all samples.
/// receive() throws Error when the bytes are something else.
void send(Part &part, Recorder &recorder, Share share, uint64_t samples,
          const ByteSink &sink);
void receive(Part &part, Recorder &recorder, Share share, uint64_t samples,
             const ByteSource &source);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORKERS_PART_H
