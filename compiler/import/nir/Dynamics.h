// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From differential equations to the constants of one step.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_DYNAMICS_H
#define DENDROLITH_COMPILER_IMPORT_NIR_DYNAMICS_H

#include "compiler/import/nir/Graph.h"
#include "compiler/import/nir/Options.h"

#include <map>

namespace dendrolith::nir {

/// A neuron parameter: one value if all neurons share it, else one for each.
using Parameter = std::vector<double>;

/// A state whose new value is keep * old + gain * drive + offset.
struct Compartment {
  Parameter keep;
  std::optional<Parameter> gain, offset; ///< absent: 1 and 0
  /// What the state is before the first step, absent: 0.
  std::optional<Parameter> start = std::nullopt;
};

/// When a spike resets the potential: in its step, in the next one behind decay
/// and input, or both; Again: in its step, and what it leaves above the
/// threshold is taken as reset already in deciding on the next spike.
enum class ResetWhen { Same, Next, Both, Again };

/// One step of a population of a NIR node.
struct Dynamics {
  std::optional<Compartment> current;   ///< state i (CubaLI, CubaLIF)
  std::optional<Compartment> potential; ///< state v; absent for Threshold
  std::optional<Parameter> threshold;   ///< absent: graded output v
  std::optional<Parameter> resetTo;     ///< absent: zero
  std::optional<Parameter> least;       ///< v is kept at or above it
  /// Values that are added to what arrives, each from its tick on.
  std::map<int64_t, Parameter> late;
  bool resets = false;
  ResetWhen resetWhen = ResetWhen::Same;
  /// Has a second output "early": this step's spike, where "s" is the last's.
  bool early = false;
};

/// The options, with everything settled that one file leaves open.
struct Policy {
  NirOptions options;
  double dt; ///< in the file's own unit of time
  const char *dtSource;
  std::map<std::string, NirOptions> ofNode = {}; ///< where a node has its own

  const NirOptions &of(const Node &node) const {
    auto it = ofNode.find(node.name);
    return it == ofNode.end() ? options : it->second;
  }
};
Policy settle(const Graph &graph, const NirOptions &options);

/// Checks that a preset's tool would take the graph's loops, and a node
/// (DynamicsChecks.cpp). Throws dendrolith::Error.
void checkLoops(const Graph &graph, const NirOptions &options);
void checkNode(const Graph &graph, const Node &node, const NirOptions &options);

/// True if the node reaches itself through nodes without state.
bool feedsItself(const Graph &graph, const Node &node);

/// What a step of h = dt/tau keeps of a state, and its shares of the drive
/// times the factor and of the leak.
struct Shares {
  double keep, drive, leak;
};
Shares sharesOf(double h, Integrator integrator, bool isCurrent);

/// Computes the constants of a population. Throws dendrolith::Error where an
/// option does not go with the node.
Dynamics discretise(const Graph &graph, const Node &node, const Policy &policy);

/// Reads a dataset as one value per neuron. A scalar, or a w_in of one element,
/// holds for all.
std::vector<double> perNeuron(const Node &node, const std::string &key,
                              double absent);

/// Makes a parameter of a value for each neuron: one value if all agree.
Parameter collapse(std::vector<double> values);

/// The delay of each element of a Delay node in ticks, rounded to the nearest
/// (ties to even); warns where that moves a delay.
std::vector<int64_t> delayTicks(Graph &graph, const Node &node,
                                const Policy &policy);

/// By node: the least of its delays in ticks, 0 but for Delay nodes.
std::vector<int64_t> heldTicks(const Graph &graph, const Policy &policy);

/// Warns where r, tau and w_in point at another dt than the one used.
void warnOfOtherStep(Graph &graph, const Policy &policy);

/// Says for the user what was chosen.
Choices describe(const Graph &graph, const Policy &policy);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_DYNAMICS_H
