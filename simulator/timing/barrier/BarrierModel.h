// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of the whole chip. A step opens when the barrier before it ends;
// its own barrier starts when every core is quiet and nothing is in flight.
//
// The critical path of a step has four parts that follow each other and sum up
// to its length:
//   update   until the last update engine has finished, stalls included;
//   noc      from then until the last flit has left the mesh, if it was later;
//   receive  from then until the last message has been served, if it was later;
//   barrier  the time that the timing set gives the barrier, and its sequencer,
//            or what is missing to its tick, where that is longer.
// Where cores serve before they update, `receive` is the part before `update`.

#ifndef DENDROLITH_SIMULATOR_TIMING_BARRIER_BARRIERMODEL_H
#define DENDROLITH_SIMULATOR_TIMING_BARRIER_BARRIERMODEL_H

#include "simulator/timing/barrier/StepControl.h"

#include <systemc>

#include <exception>

namespace dendrolith::sim {

class BarrierModel final : public sc_core::sc_module, public StepControl {
public:
  SC_HAS_PROCESS(BarrierModel);
  BarrierModel(const sc_core::sc_module_name &name, Chip &chip, MeshModel &mesh,
               Progress progress, std::exception_ptr &failure);

private:
  enum class Phase { Open, Launch, Quiet, Synchronise };
  void run();
  void openStep();
  void serveFirst(std::vector<uint32_t> &here);
  void quiet();
  void synchronise();

  std::exception_ptr &failure;
  uint64_t barrierTime = 0;
  Phase phase = Phase::Open;
  uint64_t opened = 0, barrier = 0; // of the step
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_BARRIER_BARRIERMODEL_H
