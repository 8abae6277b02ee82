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

#ifndef DENDROLITH_SIMULATOR_TIMING_CHIP_H
#define DENDROLITH_SIMULATOR_TIMING_CHIP_H

#include "simulator/RunOptions.h"
#include "simulator/timing/Activity.h"
#include "simulator/timing/DestinationSets.h"
#include "simulator/timing/MessageStream.h"
#include "simulator/timing/Receiver.h"
#include "simulator/timing/Share.h"
#include "simulator/timing/handshake/Handshake.h"
#include "simulator/timing/phases/SerialStep.h"
#include "simulator/timing/work/LiveWork.h"
#include "targets/loader/Target.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::sim {

/// Endpoints of the mesh are the used cores by their index in
/// machine.cores(), then the host, or the hosts of all chips.
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
    checkHosts();
    if (timing.barrier.form == BarrierTiming::Form::Handshake)
      handshake = std::make_unique<Handshake>(machine, target, timing,
                                              machine.stepsOf(work.ticks()),
                                              options.timelineEvents, activity);
    if (timing.serial)
      serial = std::make_unique<SerialStep>(machine, target, timing, timings);
    work.serial = serial.get();
    if (!shadow)
      services = std::make_unique<ServiceTimes>(machine, timings);
    if (target.mesh.multicast)
      destinations =
          std::make_unique<DestinationSets>(machine, target, services.get());
    for (uint32_t endpoint = 0; endpoint < endpoints(); ++endpoint) {
      const TimingSet &set = isHost(endpoint) ? timing : timings.of(endpoint);
      streams.emplace_back(
          endpoint, isHost(endpoint) ? endpoint : hostOf(endpoint),
          set.messageOut, machine, services.get(), destinations.get());
    }
  }

  /// The first host, which is the only one unless every chip has one.
  uint32_t host() const { return machine.cores().size(); }
  bool isHost(uint32_t endpoint) const { return endpoint >= host(); }
  uint32_t endpoints() const {
    return host() + static_cast<uint32_t>(
                        target.mesh.hostOnEach ? target.mesh.chips() : 1);
  }
  uint32_t tileOf(uint32_t endpoint) const {
    return static_cast<uint32_t>(
        isHost(endpoint)
            ? (endpoint - host()) * target.mesh.tilesPerChip() + kHostTile
            : target.tileOf(machine.cores()[endpoint].id));
  }
  /// The host that a core exchanges messages with.
  uint32_t hostOf(uint32_t core) const {
    return target.mesh.hostOnEach
               ? host() +
                     static_cast<uint32_t>(target.mesh.chipOf(tileOf(core)))
               : host();
  }
  std::string nameOf(uint32_t endpoint) const {
    if (!isHost(endpoint))
      return "core " + std::to_string(machine.cores()[endpoint].id);
    return target.mesh.hostOnEach
               ? "the host of chip " + std::to_string(endpoint - host())
               : "the host";
  }

  /// An endpoint sends the messages of its step.
  void start(MessageStream &stream, uint64_t time, uint64_t workAfter,
             FlitMesh &mesh) {
    if (handshake)
      for (const MessageStream::Burst &burst : stream.sending())
        handshake->expect(burst.to, burst.flits, step, time);
    stream.start(time, workAfter, mesh);
    if (stream.done())
      finished(stream);
  }

  /// All messages have been taken, and when the engine ends is known.
  void finished(const MessageStream &stream) {
    if (handshake)
      handshake->finished(stream.sender(), stream.end());
    else if (!isHost(stream.sender()))
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
  std::unique_ptr<Handshake> handshake; // null where the barrier is global
  std::unique_ptr<SerialStep> serial;   // null where phases overlap

  /// With a local barrier this is the step of the cores that open one now.
  uint64_t sample, step = 0;

private:
  /// Throws Error where several hosts would have to agree on a step by
  /// handshakes, of which the one of a core knows one alone.
  void checkHosts() const;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_CHIP_H
