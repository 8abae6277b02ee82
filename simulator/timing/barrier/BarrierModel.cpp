// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/barrier/BarrierModel.h"

#include "simulator/functional/machine/OnTarget.h"
#include "simulator/timing/Process.h"

#include <algorithm>
#include <numeric>

namespace dendrolith::sim {

BarrierModel::BarrierModel(const sc_core::sc_module_name &name, Chip &chip,
                           MeshModel &mesh, Progress progress,
                           std::exception_ptr &failure)
    : sc_module(name), StepControl(chip, mesh, std::move(progress)),
      failure(failure) {
  const Extent extent = extentOf(chip.machine, chip.target);
  barrierTime = chip.timing.barrierTime(extent.fullest, extent.chips.size());
  SC_METHOD(run);
  sensitive << mesh.quiet;
}

void BarrierModel::run() {
  guard(failure, [&] {
    switch (phase) {
    case Phase::Open:
      return openStep();
    case Phase::Launch:
      // All cores have run in the delta cycle before: the mesh sees their
      // offers together.
      phase = Phase::Quiet;
      return mesh.open.notify(sc_core::SC_ZERO_TIME);
    case Phase::Quiet:
      return quiet();
    case Phase::Synchronise:
      return synchronise();
    }
  });
}

void BarrierModel::openStep() {
  if (atEnd()) {
    finished = true;
    return sc_core::sc_stop();
  }
  opened = now();
  chip.activity.openStep(opened);
  std::vector<uint32_t> &here = coresAt[chip.step % coresAt.size()];
  if (chip.serial)
    serveFirst(here);
  if (chip.options.shuffle)
    std::shuffle(here.begin(), here.end(), shuffle);
  for (uint32_t core : here)
    mesh.cores[core]->open.notify(sc_core::SC_ZERO_TIME);
  if (inputsAt[chip.step % inputsAt.size()])
    mesh.host->open.notify(sc_core::SC_ZERO_TIME);
  phase = Phase::Launch;
  next_trigger(sc_core::SC_ZERO_TIME);
}

/// Each core serves what it has to before it updates. One that visits empty
/// slots too acts in every step.
void BarrierModel::serveFirst(std::vector<uint32_t> &here) {
  chip.serial->open(chip.step);
  for (uint32_t core = 0; core < chip.host(); ++core)
    if (uint64_t serving = chip.serial->serving(core))
      chip.activity.received(core, opened, plus(opened, serving));
  if (!chip.serial->allSlots() || here.size() == chip.host())
    return;
  here.resize(chip.host());
  std::iota(here.begin(), here.end(), 0);
}

/// The mesh is empty, so every stream has ended and every message has arrived.
/// When the last engine ends is known by now.
void BarrierModel::quiet() {
  barrier = barrierTime;
  if (chip.serial)
    barrier = plus(barrier, chip.serial->sequencer());
  StepTime time = chip.activity.closeStep(barrier, chip.timing.tick);
  barrier = time.barrier;
  nameParts(time);
  stepTimes[chip.sample].reserve(steps);
  stepTimes[chip.sample].push_back(time);
  phase = Phase::Synchronise;
  next_trigger(
      picoseconds(opened + time.update + time.noc + time.receive - now()));
}

void BarrierModel::synchronise() {
  if (chip.shadow)
    chip.shadow->compare(chip.live->state, chip.sample, chip.step);
  stepDone();
  uint64_t next = plus(now(), barrier);
  if (++chip.step == steps)
    next = endSample(next);
  phase = Phase::Open;
  next_trigger(picoseconds(next - now()));
}

} // namespace dendrolith::sim
