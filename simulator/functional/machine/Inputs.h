// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a run: input values checked and turned into payloads.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INPUTS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INPUTS_H

#include "runtime/host/Signals.h"
#include "simulator/functional/machine/Machine.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::sim {

/// A non-zero value the host injects; sent to machine.messages(source).
struct Injection {
  uint32_t source = 0;
  int64_t payload = 0;
  uint32_t units = 1; // messages to each in-axon that carry it together
};

/// The input of a run, one array per input of the program. It refers to the
/// machine and to the arrays, which both outlive it.
class Inputs {
public:
  /// Throws Error where an input is missing or unknown, or has another shape,
  /// or not as many samples and steps as the others. So it does where a value
  /// is not finite, or not 0 or 1 in a binary input (the first place is named).
  Inputs(const Machine &machine, const std::map<std::string, Samples> &values);

  uint64_t samples() const { return numSamples; }
  uint64_t ticks() const { return numTicks; }

  /// Replaces `out` by what enters in `step` of a sample, by input and element.
  /// Values beyond an input's range saturate; their number is added to
  /// `saturated`.
  void at(uint64_t sample, uint64_t step, std::vector<Injection> &out,
          uint64_t &saturated) const;

  /// Whether every element of input `index` at that tick is -1, 0 or 1 in
  /// the model's own units (NeuroBench's test for accumulate-only layers).
  bool unitValued(uint32_t index, uint64_t sample, uint64_t tick) const;

private:
  const Machine &machine;
  std::vector<const Samples *> arrays; // by index of input
  uint64_t numSamples = 0, numTicks = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INPUTS_H
