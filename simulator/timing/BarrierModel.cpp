// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/BarrierModel.h"

#include "simulator/events/Mesh.h"
#include "simulator/timing/Process.h"

#include <algorithm>

namespace neurite::sim {

/// Between the two cores farthest apart of those that exchange messages.
static uint64_t roundTrip(const Chip &chip) {
  uint64_t longest = 0;
  for (const Machine::Group &group : chip.machine.groups()) {
    uint64_t from = chip.target.tileOf(chip.machine.cores()[group.core].id);
    for (uint32_t s = 0; s < group.count * group.sources; ++s)
      for (const Machine::Message &to :
           chip.machine.messages(group.source + s)) {
        if (to.core == group.core)
          continue;
        Hops hops =
            tileHops(chip.target, from,
                     chip.target.tileOf(chip.machine.cores()[to.core].id));
        longest =
            std::max(longest, zeroLoad(chip.timing.noc, hops.ew, hops.ns));
      }
  }
  return 2 * longest;
}

BarrierModel::BarrierModel(const sc_core::sc_module_name &name, Chip &chip,
                           MeshModel &mesh,
                           std::function<void(uint64_t, uint64_t)> progress,
                           std::exception_ptr &failure)
    : sc_module(name), stepTimes(chip.inputs.samples()), chip(chip), mesh(mesh),
      progress(std::move(progress)), failure(failure),
      steps(chip.machine.stepsOf(chip.inputs.ticks())),
      barrierTime(chip.timing.barrier.time(usedTiles(chip.machine, chip.target),
                                           roundTrip(chip))),
      coresAt(chip.machine.period), inputsAt(chip.machine.period),
      shuffle(chip.options.shuffle) {
  for (uint32_t c = 0; c < chip.machine.cores().size(); ++c) {
    const Machine::Core &core = chip.machine.cores()[c];
    for (uint32_t g = core.firstGroup; g < core.firstGroup + core.groups; ++g)
      for (uint64_t step : chip.machine.stepsOfGroup(g)) {
        auto &here = coresAt[step];
        if (here.empty() || here.back() != c)
          here.push_back(c);
      }
  }
  for (const Machine::Input &input : chip.machine.inputs())
    for (uint64_t part = 0; part < input.rhythm.ticks; ++part)
      inputsAt[(input.rhythm.phase + part * input.rhythm.stride) %
               inputsAt.size()] = true;
  for (std::vector<StepTime> &times : stepTimes)
    times.reserve(steps);
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
  if (chip.sample == chip.inputs.samples() || steps == 0) {
    finished = true;
    return sc_core::sc_stop();
  }
  opened = now();
  chip.activity.openStep(opened);
  std::vector<uint32_t> &here = coresAt[chip.step % coresAt.size()];
  if (chip.options.shuffle)
    std::shuffle(here.begin(), here.end(), shuffle);
  for (uint32_t core : here)
    mesh.cores[core]->open.notify(sc_core::SC_ZERO_TIME);
  if (inputsAt[chip.step % inputsAt.size()])
    mesh.host->open.notify(sc_core::SC_ZERO_TIME);
  phase = Phase::Launch;
  next_trigger(sc_core::SC_ZERO_TIME);
}

/// The mesh is empty, so every stream has ended and every message has arrived:
/// what is left are ends already known.
void BarrierModel::quiet() {
  StepTime time = chip.activity.closeStep(barrierTime);
  name(time);
  stepTimes[chip.sample].push_back(time);
  phase = Phase::Synchronise;
  next_trigger(
      picoseconds(opened + time.update + time.noc + time.receive - now()));
}

/// Cores by their ids and the last link by its tiles.
void BarrierModel::name(StepTime &time) const {
  for (uint32_t *core : {&time.updateCore, &time.receiveCore})
    if (*core != StepTime::nobody)
      *core = chip.machine.cores()[*core].id;
  if (time.linkTo == StepTime::nobody)
    return;
  time.linkFrom = mesh.lastStop(time.linkFrom, time.linkTo);
  time.linkTo = mesh.tileOf(time.linkTo);
}

void BarrierModel::synchronise() {
  if (chip.shadow)
    chip.shadow->compare(chip.state, chip.sample, chip.step);
  const uint64_t total = steps * chip.inputs.samples();
  ++stepsDone;
  if (progress && (stepsDone % 64 == 0 || stepsDone == total))
    progress(stepsDone, total);
  uint64_t wait = barrierTime;
  if (++chip.step == steps) {
    endSample();
    wait = plus(wait, chip.timing.reset);
  }
  plus(now(), wait);
  phase = Phase::Open;
  next_trigger(picoseconds(wait));
}

/// All state returns to its initial values; the time this takes belongs to no
/// sample.
void BarrierModel::endSample() {
  sampleLatencies.push_back(now() + barrierTime - sampleStart);
  sampleStart = plus(now() + barrierTime, chip.timing.reset);
  chip.state.reset();
  if (chip.shadow)
    chip.shadow->reset();
  chip.tally.endSample(chip.inputs.ticks());
  chip.step = 0;
  ++chip.sample;
}

} // namespace neurite::sim
