// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which way a float neuron model takes through the quantiser.

#ifndef NEURITE_COMPILER_TRANSFORMS_MODELKINDS_H
#define NEURITE_COMPILER_TRANSFORMS_MODELKINDS_H

#include "dialects/dend/Dend.h"

namespace neurite {

enum class ModelKind {
  Integer, // computes in integers already: there is nothing to choose
  Cuba,    // the fixed-function current-based neuron can run it
  Body     // any other: its step body is quantised value by value
};

/// Says nothing of why a model is no current-based neuron; matchCuba() does.
ModelKind kindOf(dend::PopulationOp population);

dend::NeuronOp modelOf(dend::PopulationOp population);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_MODELKINDS_H
