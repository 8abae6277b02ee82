// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timeline of a run whose steps overlap: each slice carries its step,
// counted from the run's beginning. The bound keeps whole steps here, too.

#ifndef DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_OVERLAPTIMELINE_H
#define DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_OVERLAPTIMELINE_H

#include "simulator/RunResult.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// Cores by their index in the machine; times in ps.
class OverlapTimeline {
public:
  /// The timeline has at most `events` slices; with 0 none is wanted.
  OverlapTimeline(uint32_t cores, uint64_t stepsOfSample, uint64_t events)
      : receiving(events ? cores : 0), stalls(events ? cores : 0),
        stepsOfSample(stepsOfSample), mostEvents(events),
        horizon(events ? UINT64_MAX : 0) {}

  void add(TimelineEvent::Kind kind, uint32_t core, uint64_t step,
           uint64_t from, uint64_t to);
  /// These make one slice of those that follow each other without a gap.
  void stalled(uint32_t core, uint64_t step, uint64_t from, uint64_t to) {
    if (horizon)
      extend(stalls[core],
             {from, to - from, core, TimelineEvent::Stalled, step});
  }
  void received(uint32_t core, uint64_t step, uint64_t from, uint64_t to) {
    if (horizon)
      extend(receiving[core],
             {from, to - from, core, TimelineEvent::Receive, step});
  }
  /// The mesh carried something, which began in `step`.
  void carried(uint64_t step, uint64_t from, uint64_t to);
  /// A core has finished a step at `time`.
  void closed(uint64_t step, uint64_t time);

  /// Gives the timeline away at the end of a run.
  Timeline take();

private:
  void extend(TimelineEvent &pending, const TimelineEvent &next);
  void prune();

  std::vector<TimelineEvent> receiving, stalls; // may still grow
  TimelineEvent mesh{0, 0, 0, TimelineEvent::Mesh};
  std::vector<TimelineEvent> events;
  std::vector<uint64_t> closes; // by step, when the last core finished it
  uint64_t stepsOfSample, mostEvents;
  uint64_t horizon; // steps from this one on do not fit
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_OVERLAPTIMELINE_H
