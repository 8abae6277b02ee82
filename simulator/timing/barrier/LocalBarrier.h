// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of form `handshake`: every core opens its next step when
// Handshake.h says so, whatever the rest of the chip does. Only a sample's
// beginning and end are everybody's.

#ifndef NEURITE_SIMULATOR_TIMING_BARRIER_LOCALBARRIER_H
#define NEURITE_SIMULATOR_TIMING_BARRIER_LOCALBARRIER_H

#include "simulator/timing/barrier/StepControl.h"

#include <systemc>

#include <exception>
#include <vector>

namespace neurite::sim {

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
  bool between = true;   // two samples
  bool launched = false; // cores that have not run yet
  std::vector<uint32_t> openers;
  uint64_t closings = 0; // of steps of endpoints
  uint64_t ended = 0;    // endpoints that have done with the sample
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_BARRIER_LOCALBARRIER_H
