// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens and closes the steps. A step opens when the barrier before it ends; its
// own barrier starts when every core is quiet and nothing is in flight.
//
// The critical path of a step is told in four parts that follow each other and
// sum up to its length:
//   update   until the last update engine has finished, stalls included;
//   noc      from then until the last flit has left the mesh, if it was later;
//   receive  from then until the last message has been served, if it was later;
//   barrier  the policy's time.

#ifndef NEURITE_SIMULATOR_TIMING_BARRIERMODEL_H
#define NEURITE_SIMULATOR_TIMING_BARRIERMODEL_H

#include "simulator/Run.h"
#include "simulator/timing/MeshModel.h"

#include <systemc>

#include <functional>
#include <random>
#include <vector>

namespace neurite::sim {

class BarrierModel : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(BarrierModel);
  /// `progress` may be empty; called with the steps done and their total.
  BarrierModel(const sc_core::sc_module_name &name, Chip &chip, MeshModel &mesh,
               std::function<void(uint64_t, uint64_t)> progress,
               std::exception_ptr &failure);

  // What it has seen, to be read when the simulation has ended.
  std::vector<uint64_t> sampleLatencies;
  std::vector<std::vector<StepTime>> stepTimes;
  bool finished = false;

private:
  enum class Phase { Open, Launch, Quiet, Synchronise };
  void run();
  void openStep();
  void quiet();
  void name(StepTime &time) const;
  void synchronise();
  void endSample();

  Chip &chip;
  MeshModel &mesh;
  std::function<void(uint64_t, uint64_t)> progress;
  std::exception_ptr &failure;
  const uint64_t steps; // of one sample
  const uint64_t barrierTime;
  std::vector<std::vector<uint32_t>> coresAt; // by step modulo period
  std::vector<bool> inputsAt;
  std::mt19937_64 shuffle; // for tests
  Phase phase = Phase::Open;
  uint64_t opened = 0, sampleStart = 0, stepsDone = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_BARRIERMODEL_H
