// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both barriers, which open and close the steps, have in common: which
// cores act in which steps, the ends of samples, and what is to be read at the
// end of a run.

#ifndef DENDROLITH_SIMULATOR_TIMING_BARRIER_STEPCONTROL_H
#define DENDROLITH_SIMULATOR_TIMING_BARRIER_STEPCONTROL_H

#include "simulator/RunResult.h"
#include "simulator/timing/MeshModel.h"

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace dendrolith::sim {

class StepControl {
public:
  virtual ~StepControl() = default;

  /// Is called with the steps done and their total; may be empty.
  using Progress = std::function<void(uint64_t, uint64_t)>;

  // These are to be read when the simulation has ended.
  std::vector<uint64_t> sampleLatencies;        // by sample; 0: not mine
  std::vector<std::vector<StepTime>> stepTimes; // by sample; empty: not mine
  bool finished = false;

protected:
  StepControl(Chip &chip, MeshModel &mesh, Progress progress);

  /// Whether nothing is left to do, or nothing was to begin with.
  bool atEnd() const {
    return chip.sample >= chip.work.samples() || steps == 0;
  }
  /// Counts one more step.
  void stepDone();
  /// Ends the sample at `time` and returns when the next one begins: `reset`
  /// later, or where the mesh has a clock at its next beginning. All state
  /// returns to its initial values, so that no sample shows in the next one,
  /// and the time that this takes belongs to no sample.
  uint64_t endSample(uint64_t time);
  /// Names cores by their ids and the last link by its tiles.
  void nameParts(StepTime &time) const;

  Chip &chip;
  MeshModel &mesh;
  const uint64_t steps; // in one sample
  // Which cores act, rising, and whether an input enters, by step modulo the
  // period.
  std::vector<std::vector<uint32_t>> coresAt;
  std::vector<bool> inputsAt;
  std::mt19937_64 shuffle; // used by tests

private:
  Progress progress;
  uint64_t sampleStart = 0, stepsDone = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_BARRIER_STEPCONTROL_H
