// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises float neuron models that a fixed-function current-based neuron
// (dend.cuba) can run: at most one synaptic compartment, at most one membrane
// compartment, at most one threshold.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CUBASHAPE_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CUBASHAPE_H

#include "dialects/dend/Dend.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// Where the parts of a current-based neuron stand in a float neuron model.
struct CubaShape {
  dend::CompartmentOp synapse;  // null: the port feeds the membrane directly
  dend::CompartmentOp membrane; // null: the threshold reads the port (no state)
  dend::FireOp fire;            // null: a read-out
  int synapseState = -1, membraneState = -1; // indices of the model's states
  /// The state that counts silent steps, -1 without one, and how many steps
  /// lie at least between two spikes, as dend.cuba counts them.
  int silentState = -1;
  int64_t refractory = 0;
};

/// Fails with an error on `population` (and a note at the op that has no place
/// in a current-based neuron) when the model has another shape.
mlir::FailureOr<CubaShape> matchCuba(dend::NeuronOp model,
                                     dend::PopulationOp population);

/// The numbers of a population in reals, one per neuron:
///   i' = keepI i + gainI (W x + b);  v' = keepV v + gainV i' + offset
/// and a spike if v' > theta (>= where the shape's `fire` is inclusive), which
/// sets v' to `resetTo`.
struct CubaReals {
  std::vector<double> keepI, gainI, keepV, gainV, offset, theta, resetTo;
};
mlir::FailureOr<CubaReals> readCubaReals(const CubaShape &shape,
                                         dend::NeuronOp model,
                                         dend::PopulationOp population);

// Which way a float neuron model takes through the quantiser.

enum class ModelKind {
  Integer, // computes in integers already: there is nothing to choose
  Cuba,    // the fixed-function current-based neuron can run it
  Body     // any other: its step body is quantised value by value
};

/// If the model is a Body, `reason` gets the error that matchCuba() has for it.
ModelKind kindOf(dend::PopulationOp population, std::string *reason = nullptr);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CUBASHAPE_H
