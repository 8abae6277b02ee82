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
  timeline.closeStep(noc.who == nobody ? 0 : noc.time, end, closed);
  return step;
}

} // namespace dendrolith::sim
