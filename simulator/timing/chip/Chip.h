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
#include "simulator/timing/chip/Activity.h"
#include "simulator/timing/messages/MessageStream.h"
#include "simulator/timing/messages/ServiceTimes.h"
#include "simulator/timing/phases/SerialStep.h"
#include "simulator/timing/work/LiveWork.h"
#include "simulator/timing/workers/Part.h"
#include "targets/loader/Target.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::sim {

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
        activity(machine.cores().size(), options.timelineEvents),
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
    stream.start(time, workAfter, mesh);
    if (stream.done())
      finished(stream);
  }

  /// All messages have been taken, and when the engine ends is known.
  void finished(const MessageStream &stream) {
    if (stream.sender() != host())
      activity.updated(stream.sender(), stream.begun(), stream.end());
  }

  const Machine &machine;
  const Target &target;
  const TimingSet &timing;
  const RunOptions &options;
  const Share share;
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
