// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every process of the cycle engine needs of SystemC.

#ifndef DENDROLITH_SIMULATOR_TIMING_SYSTEMC_PROCESS_H
#define DENDROLITH_SIMULATOR_TIMING_SYSTEMC_PROCESS_H

#include <systemc>

#include <cstdint>
#include <exception>

namespace dendrolith::sim {

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

#endif // DENDROLITH_SIMULATOR_TIMING_SYSTEMC_PROCESS_H
