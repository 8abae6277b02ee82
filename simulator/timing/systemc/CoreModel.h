// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core: an update engine that visits the scheduled groups in index order when
// a step opens, and a receive engine that serves arriving messages. Neither
// needs an event of its own. What the updates of a step send does not depend on
// what happens in the step, and how long a message waits is known when it
// arrives.

#ifndef DENDROLITH_SIMULATOR_TIMING_SYSTEMC_COREMODEL_H
#define DENDROLITH_SIMULATOR_TIMING_SYSTEMC_COREMODEL_H

#include "simulator/timing/chip/Chip.h"

#include <systemc>

#include <cstdint>
#include <exception>

namespace dendrolith::sim {

class CoreModel : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(CoreModel);
  /// `index` in machine.cores(), which is also its endpoint in the mesh.
  CoreModel(const sc_core::sc_module_name &name, uint32_t index, Chip &chip,
            FlitMesh &mesh, std::exception_ptr &failure);

  /// Notified when a step opens in which a group of this core is scheduled.
  sc_core::sc_event open;

private:
  void update();

  const uint32_t index;
  Chip &chip;
  FlitMesh &mesh;
  std::exception_ptr &failure;
};

/// The host: hands the inputs of a step to the injection port of its tile when
/// the step opens, in order of inputs and elements, and takes every output.
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

// What every process of the cycle engine needs of SystemC.

/// Time is in integer picoseconds both ways: the kernel's resolution is 1 ps,
/// and its constructors from double would lose the lowest bits of long runs.
inline uint64_t now() { return sc_core::sc_time_stamp().value(); }
inline sc_core::sc_time picoseconds(uint64_t ps) {
  return sc_core::sc_time::from_value(ps);
}

/// Runs the body of a process. An exception must not unwind through the kernel:
/// it ends the simulation and waits in `failure` for the caller that started
/// it. After the first one nothing runs any more.
template <typename Body> void guard(std::exception_ptr &failure, Body body) {
  if (failure)
    return;
  try {
    body();
  } catch (...) {
    failure = std::current_exception();
    sc_core::sc_stop();
  }
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_SYSTEMC_COREMODEL_H
