// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of form `handshake`: every core opens its next step when
// Handshake.h says so, whatever the rest of the chip does. Only the beginning
// and the end of a sample are common to all cores.

#ifndef DENDROLITH_SIMULATOR_TIMING_BARRIER_LOCALBARRIER_H
#define DENDROLITH_SIMULATOR_TIMING_BARRIER_LOCALBARRIER_H

#include "simulator/timing/barrier/StepControl.h"

#include <systemc>

#include <exception>
#include <vector>

namespace dendrolith::sim {

class LocalBarrier final : public sc_core::sc_module, public StepControl {
public:
  SC_HAS_PROCESS(LocalBarrier);
  LocalBarrier(const sc_core::sc_module_name &name, Chip &chip, MeshModel &mesh,
               Progress progress, std::exception_ptr &failure);

private:
  void run();
  bool openSteps();
  void endSample();

  std::exception_ptr &failure;
  bool between = true;   // whether no sample runs
  bool launched = false; // whether cores were notified and have not run yet
  std::vector<uint32_t> openers;
  uint64_t closings = 0; // how many steps all endpoints have closed
  uint64_t ended = 0;    // how many endpoints have finished the sample
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_BARRIER_LOCALBARRIER_H
