// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/chip/Chip.h"

#include "targets/support/Time.h"

#include <algorithm>

namespace dendrolith::sim {

void Activity::openStep(uint64_t time) {
  opened = time;
  update = noc = receive = {time, nobody};
  updateFrom = time;
  updateWait = Wait();
  recording = mostEvents && !timeline.stopped;
  eventsBefore = timeline.events.size();
}

static uint32_t lower(uint64_t who) { return static_cast<uint32_t>(who); }

StepTime Activity::closeStep(uint64_t barrier, uint64_t tick,
                             uint64_t management) {
  StepTime step;
  step.updateCore = lower(update.who);
  step.receiveCore = lower(receive.who);
  step.linkFrom = lower(noc.who);
  step.linkTo = noc.who == nobody ? StepTime::nobody : lower(noc.who >> 32);
  // Where cores serve first, the one that ended last did so until it updated.
  const uint64_t before = updateFrom - opened;
  // What it waited for a port that was busy is the mesh's.
  step.portWait = updateWait.port;
  step.waiting = updateWait.full;
  step.update = update.time - updateFrom - updateWait.port - updateWait.full;
  uint64_t end = update.time;
  step.noc = std::max(end, noc.time) - end;
  end += step.noc;
  step.noc += step.portWait;
  step.receive = std::max(end, receive.time) - end;
  end += step.receive;
  if (before && !step.receive)
    step.receiveCore = step.updateCore;
  step.receive += before;
  const uint64_t work = end - opened;
  step.barrier = std::max(barrier, std::max(tick, work) - work);
  const uint64_t system = barrier + management; // both are of 10^12 at most
  step.management = std::max(system, step.barrier) - step.barrier;
  const uint64_t closed = plus(end, step.barrier);
  if (!recording)
    return step;
  for (uint32_t core = 0; core < engines.size(); ++core) {
    extend(stalls[core], TimelineEvent::Stalled, core, 0, 0);
    extend(receiving[core], TimelineEvent::Receive, core, 0, 0);
  }
  if (noc.who != nobody)
    add(TimelineEvent::Mesh, 0, opened, noc.time);
  add(TimelineEvent::Barrier, 0, end, closed);
  // The timeline keeps whole steps only.
  if (timeline.events.size() > mostEvents) {
    timeline.events.resize(eventsBefore);
    timeline.stopped = true;
    return step;
  }
  ++timeline.steps;
  timeline.endPs = closed;
  // Slices are put in order of time, whatever order they were noticed in.
  std::sort(timeline.events.begin() + static_cast<ptrdiff_t>(eventsBefore),
            timeline.events.end());
  return step;
}

void Activity::add(TimelineEvent::Kind kind, uint32_t core, uint64_t from,
                   uint64_t to) {
  // One beyond the bound is enough to know that the step does not fit.
  if (timeline.events.size() <= mostEvents && from != to)
    timeline.events.push_back({from, to - from, core, kind});
}

void Activity::extend(Slice &slice, TimelineEvent::Kind kind, uint32_t core,
                      uint64_t from, uint64_t to) {
  if (slice.to == from && slice.from != slice.to) {
    slice.to = to;
    return;
  }
  add(kind, core, slice.from, slice.to);
  slice = {from, to};
}

} // namespace dendrolith::sim
