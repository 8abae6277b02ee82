// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which way a float neuron model takes through the quantiser.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_MODELKINDS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_MODELKINDS_H

#include "dialects/dend/Dend.h"

#include <string>

namespace dendrolith {

enum class ModelKind {
  Integer, // computes in integers already: there is nothing to choose
  Cuba,    // the fixed-function current-based neuron can run it
  Body     // any other: its step body is quantised value by value
};

/// If the model is a Body, `reason` gets the error that matchCuba() has for it.
ModelKind kindOf(dend::PopulationOp population, std::string *reason = nullptr);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_MODELKINDS_H
