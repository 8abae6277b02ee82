// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which state or output a request for a trace means, the same for every engine.
// The engines on a chip read a program image, the reference interpreter a
// network. Both tell here what their populations have.

#ifndef DENDROLITH_SIMULATOR_RECORD_TRACES_H
#define DENDROLITH_SIMULATOR_RECORD_TRACES_H

#include "simulator/options/RunOptions.h"

#include <string>
#include <vector>

namespace dendrolith::sim {

/// What there is to trace of a population.
struct Traceable {
  std::string population;
  std::vector<std::string> states, outputs;
};

/// "population" or "population:state", as on the command line and in
/// traces.npz.
std::string textOf(const TraceRequest &request);

/// NumPy's name of a trace's type: integers of 32 bits hold all but `wide`
/// states.
constexpr const char *typeOfTrace(bool wide) { return wide ? "<i8" : "<i4"; }

/// What a request means: a state, or what the population emits.
struct TraceSource {
  size_t population = 0; ///< index among those given
  bool emitted = true;   ///< an output, else a state
  std::string name;      ///< of the output or state
};

/// A request names a state or, where there is no state of that name, an output;
/// without a name it means the only output, or the potential of a read-out. The
/// synaptic current is `i` in NIR and `u` on a chip: either stands for the
/// other where the population has but one of them. Throws Error that lists what
/// there is.
TraceSource resolveTrace(const TraceRequest &request,
                         const std::vector<Traceable> &populations);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_TRACES_H
