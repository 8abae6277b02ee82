// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host: hands the inputs of a step to the injection port of its tile when
// the step opens, in order of inputs and elements, and takes every output.

#ifndef DENDROLITH_SIMULATOR_TIMING_HOSTMODEL_H
#define DENDROLITH_SIMULATOR_TIMING_HOSTMODEL_H

#include "simulator/timing/Chip.h"

#include <systemc>

namespace dendrolith::sim {

class HostModel : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(HostModel);
  HostModel(const sc_core::sc_module_name &name, Chip &chip, FlitMesh &mesh,
            std::exception_ptr &failure);

  /// Notified when a step opens in which an input enters.
  sc_core::sc_event open;

private:
  void inject();

  Chip &chip;
  FlitMesh &mesh;
  std::exception_ptr &failure;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_HOSTMODEL_H
