// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that were chosen for weights before --dend-quantise runs, which then
// takes them instead of rounding for itself.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_WEIGHTCHOICES_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_WEIGHTCHOICES_H

#include "compiler/transforms/quantise/RowRounding.h"
#include "dialects/dend/Dend.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace dendrolith {

/// A projection's mantissas, one per element of its weight constant.
struct ChosenWeights {
  /// What a mantissa's unit is worth to the port (or to v of a fixed-function
  /// neuron of factor 1), per unit that the source emits.
  double step = 1;
  Mantissas mantissas;
  std::string how; ///< a sentence for the report
};

/// How many times finer than the population's step each neuron's own is, and
/// the largest magnitudes that the states of each reached in calibration.
struct NeuronFactors {
  std::vector<double> factor, current, potential;
};

/// Looked up only, never walked over: the order of operations in memory must
/// not show in a result.
class WeightChoices {
public:
  void set(dend::ProjectOp project, ChosenWeights chosen) {
    weights[project] = std::move(chosen);
  }
  void set(dend::PopulationOp population, NeuronFactors neurons) {
    factors[population] = std::move(neurons);
  }
  void erase(dend::ProjectOp project) { weights.erase(project); }
  void erase(dend::PopulationOp population) { factors.erase(population); }
  /// Null where the quantiser rounds for itself.
  const ChosenWeights *find(dend::ProjectOp project) const {
    auto at = weights.find(project);
    return at == weights.end() ? nullptr : &at->second;
  }
  ChosenWeights *find(dend::ProjectOp project) {
    auto at = weights.find(project);
    return at == weights.end() ? nullptr : &at->second;
  }
  /// Null where all neurons count in one step.
  const NeuronFactors *find(dend::PopulationOp population) const {
    auto at = factors.find(population);
    return at == factors.end() ? nullptr : &at->second;
  }

private:
  llvm::DenseMap<mlir::Operation *, ChosenWeights> weights;
  llvm::DenseMap<mlir::Operation *, NeuronFactors> factors;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_WEIGHTCHOICES_H
