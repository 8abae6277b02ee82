// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/barrier/StepControl.h"

#include "targets/support/Time.h"

#include <utility>

namespace dendrolith::sim {

StepControl::StepControl(Chip &chip, MeshModel &mesh, Progress progress)
    : stepTimes(chip.work.samples()), chip(chip), mesh(mesh),
      steps(chip.machine.stepsOf(chip.work.ticks())),
      coresAt(chip.machine.period()), inputsAt(inputStepsOf(chip.machine)),
      shuffle(chip.options.shuffle), progress(std::move(progress)) {
  if (steps > 0)
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
}

void StepControl::stepDone() {
  const uint64_t total = steps * chip.share.of(chip.work.samples());
  ++stepsDone;
  if (progress && (stepsDone % 64 == 0 || stepsDone == total))
    progress(stepsDone, total);
}

uint64_t StepControl::endSample(uint64_t time) {
  sampleLatencies[chip.sample] = time - sampleStart;
  sampleStart = mesh.restart(plus(time, chip.timing.reset));
  chip.work.endSample(chip.sample);
  if (chip.serial)
    chip.serial->reset();
  chip.step = 0;
  chip.sample += chip.share.stride;
  return sampleStart;
}

void StepControl::nameParts(StepTime &time) const {
  for (uint32_t *core : {&time.updateCore, &time.receiveCore})
    if (*core != StepTime::nobody)
      *core = chip.machine.cores()[*core].id;
  if (time.linkTo == StepTime::nobody)
    return;
  time.linkFrom = mesh.lastStop(time.linkFrom, time.linkTo);
  time.linkTo = mesh.tileOf(time.linkTo);
}

} // namespace dendrolith::sim
