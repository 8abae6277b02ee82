// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which neuron engine of a target runs a model.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_ENGINES_ENGINES_H
#define DENDROLITH_COMPILER_TRANSFORMS_ENGINES_ENGINES_H

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// Whether the fixed-function neuron can run the model: `dend.cuba` and nothing
/// else, fed by one port that is cleared at each update, with states that
/// return to their initial values with each sample.
bool isCuba(dend::NeuronOp model);

/// Chooses the engines of a network's models.
class EngineChoice {
public:
  /// The target outlives this; projections keep the biases they have now.
  EngineChoice(dend::NetworkOp network, const Target &chip);

  /// Gives "cuba" where the target has that engine, it can run the model, and
  /// no projection into a population of the model has a bias; else "microcode"
  /// where the target has that; else an empty text.
  std::string of(dend::NeuronOp model) const;

private:
  const Target &chip;
  llvm::DenseSet<mlir::StringAttr> biased; // models with a bias on a port
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_ENGINES_ENGINES_H
