// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What whoever opens and closes the steps has in common: which cores act in
// which steps, the ends of samples, and what is to be read at the end of a run.

#ifndef NEURITE_SIMULATOR_TIMING_BARRIER_STEPCONTROL_H
#define NEURITE_SIMULATOR_TIMING_BARRIER_STEPCONTROL_H

#include "simulator/Run.h"
#include "simulator/timing/MeshModel.h"

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace neurite::sim {

class StepControl {
public:
  virtual ~StepControl() = default;

  /// May be empty; called with the steps done and their total.
  using Progress = std::function<void(uint64_t, uint64_t)>;

  // What it has seen, to be read when the simulation has ended.
  std::vector<uint64_t> sampleLatencies;
  std::vector<std::vector<StepTime>> stepTimes;
  bool finished = false;

protected:
  StepControl(Chip &chip, MeshModel &mesh, Progress progress);

  /// Nothing is left to do, or nothing was to begin with.
  bool atEnd() const {
    return chip.sample == chip.inputs.samples() || steps == 0;
  }
  /// One step more is done.
  void stepDone();
  /// The sample has ended at `time` and the next one begins `reset` later: all
  /// state returns to its initial values; the time this takes belongs to none.
  void endSample(uint64_t time);
  /// Cores by their ids and the last link by its tiles.
  void nameParts(StepTime &time) const;

  Chip &chip;
  MeshModel &mesh;
  const uint64_t steps;                       // of one sample
  std::vector<std::vector<uint32_t>> coresAt; // by step modulo period; rising
  std::vector<bool> inputsAt;
  std::mt19937_64 shuffle; // for tests

private:
  Progress progress;
  uint64_t sampleStart = 0, stepsDone = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_BARRIER_STEPCONTROL_H
