// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/systemc/BarrierModel.h"

#include "simulator/functional/machine/OnTarget.h"
#include "simulator/timing/systemc/CoreModel.h"
#include "targets/support/Time.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dendrolith::sim {

BarrierModel::BarrierModel(const sc_core::sc_module_name &name, Chip &chip,
                           MeshModel &mesh, Progress progress,
                           std::exception_ptr &failure)
    : sc_module(name), stepTimes(chip.work.samples()), chip(chip), mesh(mesh),
      coresAt(chip.machine.period()), inputsAt(inputStepsOf(chip.machine)),
      shuffle(chip.options.shuffle), progress(std::move(progress)),
      failure(failure) {
  for (uint64_t s = chip.sample; s < chip.work.samples();
       s += chip.share.stride)
    allSteps += chip.machine.stepsOf(chip.work.ticksOf(s));
  if (!atEnd())
    sampleLatencies.resize(chip.work.samples());
  for (uint32_t c = 0; c < chip.machine.cores().size(); ++c) {
    const Machine::Core &core = chip.machine.cores()[c];
    for (uint32_t g = core.firstGroup; g < core.firstGroup + core.groups; ++g)
      for (uint64_t step : chip.machine.stepsOfGroup(g)) {
        auto &here = coresAt[step];
        if (here.empty() || here.back() != c)
          here.push_back(c);
      }
  }
  const Extent extent = extentOf(chip.machine, chip.target);
  barrierTime = chip.timing.barrierTime(extent.fullest, extent.chips.size());
  managementTime = chip.timing.management.time(extent.fullest);
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
  if (atEnd() || !inLeg()) {
    finished = true;
    return sc_core::sc_stop();
  }
  opened = now();
  chip.activity.openStep(opened);
  if (chip.activity.timeline.wanted())
    chip.activity.timeline.openStep(chip.sample, chip.step, opened);
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

/// Whether this worker lets the next step travel (Leg). What it finds before
/// its leg begins is not its own.
bool BarrierModel::inLeg() {
  Leg *const leg = chip.leg;
  if (!leg)
    return true;
  for (; chip.step < leg->from(); ++chip.step)
    computeStep();
  if (chip.step > 0 && chip.step == leg->first()) {
    if (const std::vector<uint32_t> *turns = leg->given())
      mesh.turnTo(*turns);
    leg->begin(mesh.turns());
    counted = sampleStart = now();
    stepsDone = 0;
    stepTimes[chip.sample].clear();
    chip.activity.forget();
    for (MessageStream &stream : chip.streams)
      stream.forget();
    mesh.forgetLinks();
  }
  if (leg->refused())
    return false;
  if (chip.step < leg->end() || !leg->ends(mesh.turns()))
    return true;
  sampleLatencies[chip.sample] = now() - sampleStart;
  return false;
}

/// A step whose messages do not travel here. Cores that seldom send find the
/// turns of their ports nearly as if they did.
void BarrierModel::computeStep() {
  const auto send = [&](uint32_t endpoint, auto compute) {
    MessageStream &stream = chip.streams[endpoint];
    stream.clear();
    compute(stream);
    if (!stream.all().empty())
      mesh.turnBehind(endpoint);
    stream.clear();
  };
  for (uint32_t core : coresAt[chip.step % coresAt.size()])
    send(core, [&](MessageStream &stream) {
      chip.work.update(core, chip.sample, chip.step, stream);
    });
  if (inputsAt[chip.step % inputsAt.size()])
    send(chip.host(), [&](MessageStream &stream) {
      chip.work.inject(chip.sample, chip.step, stream);
    });
}

void BarrierModel::serve(uint32_t core, uint64_t serving) {
  const uint64_t end = plus(opened, serving);
  if (serving)
    chip.activity.received(core, opened, end);
  if (chip.activity.timeline.wanted())
    chip.activity.timeline.servedKept(core, opened, end);
}

/// Each core serves what it has to before it updates. One that visits empty
/// slots too acts in every step.
void BarrierModel::serveFirst(std::vector<uint32_t> &here) {
  chip.serial->open(chip.step);
  for (uint32_t core = 0; core < chip.host(); ++core)
    serve(core, chip.serial->serving(core));
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
  if (chip.activity.timeline.wanted())
    mesh.tellLinks(chip.activity.timeline);
  StepTime time =
      chip.activity.closeStep(barrier, chip.timing.tick, managementTime);
  barrier = time.barrier;
  nameParts(time);
  stepTimes[chip.sample].reserve(steps());
  stepTimes[chip.sample].push_back(time);
  phase = Phase::Synchronise;
  next_trigger(picoseconds(opened + time.work() - now()));
}

void BarrierModel::synchronise() {
  if (chip.shadow)
    chip.shadow->compare(chip.live->state, chip.sample, chip.step);
  stepDone();
  uint64_t next = plus(now(), barrier);
  if (++chip.step == steps())
    next = endSample(next);
  phase = Phase::Open;
  next_trigger(picoseconds(next - now()));
}

void BarrierModel::stepDone() {
  const Leg *const leg = chip.leg;
  const uint64_t total = leg ? leg->end() - leg->first() : allSteps;
  if (leg && chip.step < leg->first())
    return;
  ++stepsDone;
  if (progress && (stepsDone % 64 == 0 || stepsDone == total))
    progress(stepsDone, total);
}

/// Ends the sample at `time` and returns when the next one begins: `reset`
/// later, or where the mesh has a clock at its next beginning. All state
/// returns to its initial values, so that no sample shows in the next one, and
/// the time that this takes belongs to no sample.
uint64_t BarrierModel::endSample(uint64_t time) {
  sampleLatencies[chip.sample] = time - sampleStart;
  sampleStart = mesh.restart(plus(time, chip.timing.reset));
  chip.work.endSample(chip.sample);
  if (chip.serial)
    chip.serial->reset();
  chip.step = 0;
  chip.sample += chip.share.stride;
  return sampleStart;
}

/// Names cores by their ids and the last link by its tiles.
void BarrierModel::nameParts(StepTime &time) const {
  for (uint32_t *core : {&time.updateCore, &time.receiveCore})
    if (*core != StepTime::nobody)
      *core = chip.machine.cores()[*core].id;
  if (time.linkTo == StepTime::nobody)
    return;
  time.linkFrom = mesh.lastStop(time.linkFrom, time.linkTo);
  time.linkTo = mesh.tileOf(time.linkTo);
}

} // namespace dendrolith::sim
