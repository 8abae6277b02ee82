// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/barrier/LocalBarrier.h"

#include "simulator/timing/Process.h"

#include <algorithm>

namespace dendrolith::sim {

LocalBarrier::LocalBarrier(const sc_core::sc_module_name &name, Chip &chip,
                           MeshModel &mesh, Progress progress,
                           std::exception_ptr &failure)
    : sc_module(name), StepControl(chip, mesh, std::move(progress)),
      failure(failure) {
  SC_METHOD(run);
  sensitive << mesh.quiet;
}

void LocalBarrier::run() {
  guard(failure, [&] {
    if (between) {
      if (atEnd()) {
        finished = true;
        return sc_core::sc_stop();
      }
      between = false;
      chip.handshake->startSample(now());
    }
    if (launched) {
      // The cores run in this delta cycle, before this process or after it.
      // Which others open a step now is known in the next one.
      launched = false;
      return next_trigger(sc_core::SC_ZERO_TIME);
    }
    while (chip.handshake->next() == now())
      if ((launched = openSteps()))
        return next_trigger(sc_core::SC_ZERO_TIME);
    chip.handshake->opened();
    if (ended == chip.handshake->endpoints())
      return endSample();
    mesh.open.notify(sc_core::SC_ZERO_TIME);
  });
}

/// Opens the step for the endpoints that open the same step now. True if one of
/// them has something to do in it.
bool LocalBarrier::openSteps() {
  Handshake &handshake = *chip.handshake;
  chip.step = handshake.open(openers);
  if (chip.options.shuffle)
    std::shuffle(openers.begin(), openers.end(), shuffle);
  if (chip.step)
    for (size_t e = 0; e < openers.size(); ++e)
      if (++closings % handshake.endpoints() == 0)
        stepDone();
  if (chip.step == steps) {
    ended += openers.size();
    return false;
  }
  const std::vector<uint32_t> &acting = coresAt[chip.step % coresAt.size()];
  bool any = false;
  for (uint32_t endpoint : openers) {
    const bool isHost = endpoint == chip.host();
    if (chip.shadow && chip.step && !isHost)
      chip.shadow->compareAtOpening(chip.live->state, endpoint, chip.sample,
                                    chip.step);
    if (isHost ? !inputsAt[chip.step % inputsAt.size()]
               : !std::binary_search(acting.begin(), acting.end(), endpoint)) {
      handshake.finished(endpoint, now());
      continue;
    }
    (isHost ? mesh.host->open : mesh.cores[endpoint]->open)
        .notify(sc_core::SC_ZERO_TIME);
    any = true;
  }
  return any;
}

/// Ends the sample: everything has been served, and all done messages have
/// come.
void LocalBarrier::endSample() {
  if (chip.shadow)
    chip.shadow->compare(chip.live->state, chip.sample, steps - 1);
  for (StepTime &time : stepTimes[chip.sample] = chip.handshake->endSample())
    nameParts(time);
  const uint64_t next = StepControl::endSample(now());
  ended = 0;
  between = true;
  next_trigger(picoseconds(next - now()));
}

} // namespace dendrolith::sim
