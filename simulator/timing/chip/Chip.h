// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the modules of the cycle engine share: the machine, who says what it
// sends, and the step that is going on.
//
// Modules are SC_METHOD processes that SystemC's kernel wakes by sc_event. They
// read and write this one object, and call each other, instead of sending
// transactions through ports: there are no TLM sockets and no channels. That is
// for speed: most messages never wake a process, and dendrolith-cycle-bench
// moves two million of them a second. What SystemC gives is the clock in
// integer picoseconds, and delta cycles, in which all modules of one instant
// act before time goes on.

#ifndef DENDROLITH_SIMULATOR_TIMING_CHIP_CHIP_H
#define DENDROLITH_SIMULATOR_TIMING_CHIP_CHIP_H

#include "simulator/options/RunOptions.h"
#include "simulator/result/RunResult.h"
#include "simulator/timing/chip/TimelineRecorder.h"
#include "simulator/timing/messages/MessageStream.h"
#include "simulator/timing/messages/ServiceTimes.h"
#include "simulator/timing/phases/SerialStep.h"
#include "simulator/timing/work/LiveWork.h"
#include "simulator/timing/workers/Part.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::sim {

// Who worked when: the parts of each step's critical path and who was last in
// each, and how long every engine was busy; on request a timeline hears all of
// it. Of several that end at one instant the lowest core counts, so that no
// order inside an instant shows.

/// Cores by their index in the machine; times in ps.
class Activity {
public:
  Activity(uint32_t cores, const TimelineRequest &request)
      : timeline(request, cores), engines(cores), waiting(cores) {}

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
    if (timeline.recording())
      timeline.worked(core, from, end);
  }
  /// Its port let it wait; from `full` on a receiver or a buffer on the way was
  /// full, before that the port had just passed a flit.
  void stalled(uint32_t core, uint64_t from, uint64_t to, uint64_t full) {
    engines[core].stalled += to - from;
    waiting[core].port += full - from;
    waiting[core].full += to - full;
    if (timeline.recording())
      timeline.stalled(core, from, to);
  }
  /// Its receive engine has served a message.
  void received(uint32_t core, uint64_t from, uint64_t to) {
    engines[core].receiving += to - from;
    later(receive, to, core);
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
  /// No engine has done anything yet.
  void forget() { engines.assign(engines.size(), {}); }
  TimelineRecorder timeline;

private:
  static void later(Last &last, uint64_t time, uint64_t who) {
    if (time > last.time || (time == last.time && who < last.who))
      last = {time, who};
  }

  std::vector<CoreActivity> engines;
  /// What an engine waited for its port in a step: because that had just passed
  /// a flit, and because a receiver or a buffer on the way was full.
  struct Wait {
    uint64_t port = 0, full = 0;
  };
  std::vector<Wait> waiting; // of an update that is not done
  // What follows belongs to the step that is open.
  uint64_t opened = 0;
  Last update, noc, receive;
  // When the engine that ended last began, and how long it waited for its port.
  uint64_t updateFrom = 0;
  Wait updateWait;
};

/// Endpoints of the mesh are the used cores by their index in
/// machine.cores(), then the host.
struct Chip {
  /// `live` is `work` itself where that computes, and null in a replay.
  Chip(const Machine &machine, const Target &target, const TimingSet &timing,
       const CoreTimings &timings, const RunOptions &options, WorkSource &work,
       LiveWork *live, Share share)
      : machine(machine), target(target), timing(timing), options(options),
        share(share), timings(timings), work(work), live(live),
        shadow(live ? live->shadow.get() : nullptr),
        receivers(machine.cores().size()),
        activity(machine.cores().size(), options.timeline),
        sample(share.first) {
    if (timing.serial)
      serial = std::make_unique<SerialStep>(machine, target, timing, timings);
    work.serial = serial.get();
    if (!shadow)
      services = std::make_unique<ServiceTimes>(machine, timings);
    if (target.mesh.multicast)
      destinations =
          std::make_unique<DestinationSets>(machine, target, services.get());
    for (uint32_t endpoint = 0; endpoint <= host(); ++endpoint) {
      const uint64_t each = endpoint == host()
                                ? timing.hostTime()
                                : timings.of(endpoint).messageOut;
      streams.emplace_back(endpoint, host(), each, machine, services.get(),
                           destinations.get());
    }
  }

  /// The host's endpoint.
  uint32_t host() const { return machine.cores().size(); }
  uint32_t tileOf(uint32_t endpoint) const {
    return static_cast<uint32_t>(
        endpoint == host() ? kHostTile
                           : target.tileOf(machine.cores()[endpoint].id));
  }
  std::string nameOf(uint32_t endpoint) const {
    return endpoint == host()
               ? "the host"
               : "core " + std::to_string(machine.cores()[endpoint].id);
  }

  /// An endpoint sends the messages of its step.
  void start(MessageStream &stream, uint64_t time, uint64_t workAfter,
             FlitMesh &mesh) {
    if (activity.timeline.recording())
      activity.timeline.emits(stream);
    stream.start(time, workAfter, mesh);
    if (stream.done())
      finished(stream);
  }

  /// All messages have been taken, and when the engine ends is known.
  void finished(const MessageStream &stream) {
    if (stream.sender() != host())
      activity.updated(stream.sender(), stream.begun(), stream.end());
    else if (activity.timeline.recording())
      activity.timeline.worked(host(), stream.begun(), stream.end());
  }

  const Machine &machine;
  const Target &target;
  const TimingSet &timing;
  const RunOptions &options;
  const Share share;
  Leg *leg = nullptr; // null where this worker runs all steps
  const CoreTimings &timings;

  std::unique_ptr<const ServiceTimes> services;        // null with --verify
  std::unique_ptr<const DestinationSets> destinations; // null without multicast

  WorkSource &work;
  LiveWork *const live; // null in a replay
  Shadow *const shadow; // null without --verify

  std::vector<MessageStream> streams; // by endpoint
  std::vector<Receiver> receivers;    // by core
  Activity activity;
  std::unique_ptr<SerialStep> serial; // null where phases overlap

  uint64_t sample, step = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_CHIP_CHIP_H
