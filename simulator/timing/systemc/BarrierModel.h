// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of the whole chip. A step opens when the barrier before it ends;
// its own barrier starts when every core is quiet and nothing is in flight.
//
// The critical path of a step has five parts that follow each other and sum up
// to its length:
//   update   until the last update engine has finished, less `waiting`;
//   waiting  the time for which that engine could not hand over a message,
//            because a receiver or a buffer on the way was full;
//   noc      from then until the last flit has left the mesh, if it was later;
//   receive  from then until the last message has been served, if it was later;
//   barrier  the time that the timing set gives the barrier, and its sequencer,
//            or what is missing to its tick, where that is longer.
// Where cores serve before they update, `receive` is the part before `update`.

#ifndef DENDROLITH_SIMULATOR_TIMING_SYSTEMC_BARRIERMODEL_H
#define DENDROLITH_SIMULATOR_TIMING_SYSTEMC_BARRIERMODEL_H

#include "simulator/result/RunResult.h"
#include "simulator/timing/systemc/MeshModel.h"

#include <systemc>

#include <cstdint>
#include <exception>
#include <functional>
#include <random>
#include <vector>

namespace dendrolith::sim {

class BarrierModel final : public sc_core::sc_module {
public:
  /// Is called with the steps done and their total; may be empty.
  using Progress = std::function<void(uint64_t, uint64_t)>;

  SC_HAS_PROCESS(BarrierModel);
  BarrierModel(const sc_core::sc_module_name &name, Chip &chip, MeshModel &mesh,
               Progress progress, std::exception_ptr &failure);

  // Results, to be read when the simulation has ended.
  std::vector<uint64_t> sampleLatencies;        // by sample; 0: not mine
  std::vector<std::vector<StepTime>> stepTimes; // by sample; empty: not mine
  bool finished = false;
  uint64_t counted = 0; // from when on times are this worker's

private:
  enum class Phase { Open, Launch, Quiet, Synchronise };
  void run();
  void openStep();
  bool inLeg();
  void computeStep();
  void serveFirst(std::vector<uint32_t> &here);
  void serve(uint32_t core, uint64_t serving);
  void quiet();
  void synchronise();
  void stepDone();
  uint64_t endSample(uint64_t time);
  void nameParts(StepTime &time) const;
  /// Steps of the sample.
  uint64_t steps() const {
    return chip.machine.stepsOf(chip.work.ticksOf(chip.sample));
  }
  /// Whether nothing is left to do, or nothing was to begin with.
  bool atEnd() const {
    return chip.sample >= chip.work.samples() || steps() == 0;
  }

  Chip &chip;
  MeshModel &mesh;
  uint64_t allSteps = 0; // of this worker's samples
  // Which cores act, rising, and whether an input enters, by step modulo the
  // period.
  std::vector<std::vector<uint32_t>> coresAt;
  std::vector<bool> inputsAt;
  std::mt19937_64 shuffle; // used by tests
  Progress progress;
  std::exception_ptr &failure;
  uint64_t barrierTime = 0, managementTime = 0;
  Phase phase = Phase::Open;
  uint64_t opened = 0, barrier = 0; // of the step
  uint64_t sampleStart = 0, stepsDone = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_SYSTEMC_BARRIERMODEL_H
