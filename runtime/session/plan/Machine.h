// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast and how large the functional engine is: numbers as data, each with
// its kind and source, and what they make of a network.

#ifndef DENDROLITH_RUNTIME_SESSION_PLAN_MACHINE_H
#define DENDROLITH_RUNTIME_SESSION_PLAN_MACHINE_H

#include "runtime/session/plan/Estimate.h"

namespace dendrolith::plan {

struct Speed {
  std::string name;
  double value = 0;
  std::string unit, kind, source;
};

/// `dendrolith plan --machine FILE.yaml` replaces some of them.
struct Machine {
  std::vector<Speed> speeds;
  double at(const std::string &name) const;
};

/// Those of the machine that Dendrolith was measured on.
Machine measuredMachine();
/// With the numbers of a file instead: {speeds: {name: {value, unit, kind,
/// source}}}. Throws Error that names file and place.
Machine readMachine(const std::string &path);

/// What an engine does in a step.
struct StepWork {
  double neurons = 0, operations = 0, spikes = 0, messages = 0;
  bool programs = false; // neurons are programs of the chip's
};

/// With all times longer or shorter by one factor, so that a step of `work` on
/// one rank and thread takes `ns`, which `source` says.
Machine scaledTo(Machine machine, const StepWork &work, double ns,
                 const std::string &source);

/// On so many ranks of so many threads.
struct Run {
  uint64_t ranks = 1, threads = 1, steps = 10000;
};

struct MachinePlan {
  double loadNs = 0, stepNs = 0, memoryBytes = 0; // of a rank
  double compileNs = 0, compileBytes = 0;         // on one thread
};

/// A run of the functional engine, in which ranks divide the synapses alone,
/// and its spikes are recorded.
MachinePlan planMachine(const Description &network, const ChipPlan &chip,
                        const Machine &machine, const Run &run);

} // namespace dendrolith::plan

#endif // DENDROLITH_RUNTIME_SESSION_PLAN_MACHINE_H
