// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who worked when: the parts of each step's critical path and who was last in
// each, how long every engine was busy, and, on request, every slice of time
// for a picture. Of several that end at one instant the lowest core counts, so
// that no order inside an instant shows.

#ifndef DENDROLITH_SIMULATOR_TIMING_CHIP_ACTIVITY_H
#define DENDROLITH_SIMULATOR_TIMING_CHIP_ACTIVITY_H

#include "simulator/result/RunResult.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// Cores by their index in the machine; times in ps.
class Activity {
public:
  /// The timeline has at most `events` slices; with 0 none is wanted.
  Activity(uint32_t cores, uint64_t events)
      : engines(cores), waiting(cores), receiving(events ? cores : 0),
        stalls(events ? cores : 0), mostEvents(events) {}

  void openStep(uint64_t time);

  /// The update engine of a core has worked: from the step's opening on, or
  /// after the core had served what was to be served first.
  void updated(uint32_t core, uint64_t from, uint64_t end) {
    engines[core].updating += end - from;
    const Wait wait = std::exchange(waiting[core], Wait());
    if (end == opened)
      return; // Nothing was scheduled, or it took no time.
    if (end > update.time || (end == update.time && core < update.who)) {
      updateFrom = from;
      updateWait = wait;
    }
    later(update, end, core);
    if (recording)
      add(TimelineEvent::Update, core, from, end);
  }
  /// Its port let it wait; from `full` on a receiver or a buffer on the way was
  /// full, before that the port had just passed a flit.
  void stalled(uint32_t core, uint64_t from, uint64_t to, uint64_t full) {
    engines[core].stalled += to - from;
    waiting[core].port += full - from;
    waiting[core].full += to - full;
    if (recording)
      extend(stalls[core], TimelineEvent::Stalled, core, from, to);
  }
  /// Its receive engine has served a message.
  void received(uint32_t core, uint64_t from, uint64_t to) {
    engines[core].receiving += to - from;
    later(receive, to, core);
    if (recording)
      extend(receiving[core], TimelineEvent::Receive, core, from, to);
  }
  /// A flit has left the mesh; it went from one endpoint to another.
  void ejected(uint32_t source, uint32_t destination, uint64_t time) {
    later(noc, time, uint64_t(destination) << 32 | source);
  }

  /// The end that came last, and whose it was: a core's, or for flits that of a
  /// pair of endpoints. `nobody` if there was none.
  struct Last {
    uint64_t time = 0;
    uint64_t who = nobody;
  };
  static constexpr uint64_t nobody = UINT64_MAX;

  /// Returns the parts of the step with indices instead of names: cores by
  /// index, and `linkTo` and `linkFrom` the endpoints of the last flit. The
  /// barrier takes `barrier` ps, or as long as is missing to `tick` from the
  /// step's opening. The system adds `management` ps, less what of them lies
  /// within the tick. The step's end, barrier included, must fit 64 bits.
  StepTime closeStep(uint64_t barrier, uint64_t tick = 0,
                     uint64_t management = 0);

  const std::vector<CoreActivity> &cores() const { return engines; }
  Timeline timeline; // with cores by their index

private:
  struct Slice {
    uint64_t from = 0, to = 0;
  };
  static void later(Last &last, uint64_t time, uint64_t who) {
    if (time > last.time || (time == last.time && who < last.who))
      last = {time, who};
  }
  void add(TimelineEvent::Kind kind, uint32_t core, uint64_t from, uint64_t to);
  /// Adds a slice, or makes the pending one longer if they touch.
  void extend(Slice &slice, TimelineEvent::Kind kind, uint32_t core,
              uint64_t from, uint64_t to);

  std::vector<CoreActivity> engines;
  /// What an engine waited for its port in a step: because that had just passed
  /// a flit, and because a receiver or a buffer on the way was full.
  struct Wait {
    uint64_t port = 0, full = 0;
  };
  std::vector<Wait> waiting;            // of an update that is not done
  std::vector<Slice> receiving, stalls; // may still grow
  uint64_t mostEvents;
  bool recording = false;
  // These belong to the step that is open.
  size_t eventsBefore = 0;
  uint64_t opened = 0;
  Last update, noc, receive;
  // When the engine that ended last began, and how long it waited for its port.
  uint64_t updateFrom = 0;
  Wait updateWait;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_CHIP_ACTIVITY_H
