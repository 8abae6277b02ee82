// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A neuron model together with what its populations bind to its parameters.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_NETWORK_BOUNDMODEL_H
#define DENDROLITH_COMPILER_TRANSFORMS_NETWORK_BOUNDMODEL_H

#include "dialects/dend/Dend.h"

#include <vector>

namespace dendrolith {

/// What the step body of a neuron ends with.
inline dend::YieldOp yieldOf(dend::NeuronOp model) {
  return mlir::cast<dend::YieldOp>(model.getBlock().getTerminator());
}

/// What a population binds to a parameter: one row for all its neurons, or one
/// row each. Complex numbers are (re, im) pairs.
struct BoundRows {
  std::vector<double> values; ///< count rows of equal length
  bool perNeuron = false;     ///< else one row
  int64_t count = 1;

  size_t width() const { return values.size() / size_t(count); }
  /// The row of a neuron; if all share one row, that one.
  llvm::ArrayRef<double> row(int64_t neuron) const;
};

class BoundModel {
public:
  explicit BoundModel(dend::NeuronOp model);

  dend::NeuronOp model;
  dend::NetworkOp network;
  llvm::SmallVector<dend::PopulationOp> populations; ///< of this model

  dend::ConstantOp constant(mlir::Attribute symbol) const;
  /// The attribute that the population binds to the name, null if it binds
  /// none.
  mlir::Attribute bound(dend::PopulationOp population,
                        llvm::StringRef name) const;
  /// Binds or, with a null value, unbinds a name.
  void bind(dend::PopulationOp population, llvm::StringRef name,
            mlir::Attribute value);
  /// Adds a constant in front of `at`; the name changes if it is taken.
  mlir::FlatSymbolRefAttr addConstant(mlir::Operation *place,
                                      llvm::StringRef name,
                                      mlir::RankedTensorType type,
                                      mlir::ElementsAttr value);
  void eraseConstant(dend::ConstantOp constant) { symbols.erase(constant); }
  dend::ConstantOp lookup(llvm::StringRef name) const {
    return symbols.lookup<dend::ConstantOp>(name);
  }

  /// The index of the parameter that a value is; none if it is another value.
  std::optional<unsigned> parameter(mlir::Value value) const;
  /// Whether the value is a parameter with elements in every population.
  bool hasElements(mlir::Value value) const;
  /// The elements of such a parameter.
  BoundRows rows(dend::PopulationOp population, mlir::Value param) const;
  /// Rebinds a parameter of `type` to `rows`; all populations take the same
  /// kind. A constant that nothing else reads is replaced in place.
  void setRows(dend::PopulationOp population, unsigned param, mlir::Type type,
               const BoundRows &rows);
  /// Adds a parameter behind the others; every population has yet to bind it.
  mlir::BlockArgument addParameter(llvm::StringRef name, mlir::Type type);
  /// Erases a parameter that nothing uses, its bindings, and the constants that
  /// only they named.
  void eraseParameter(unsigned param);

  /// Whether a dend.output probes the state in some population.
  bool isProbed(unsigned state) const;
  /// The index of `state` if it starts at zero, `op` alone reads it, and
  /// nothing but the yield reads its next value `next`; none otherwise.
  std::optional<unsigned> ownState(mlir::Operation *op, mlir::Value state,
                                   mlir::Value next);

private:
  bool isUsedElsewhere(dend::ConstantOp constant,
                       dend::PopulationOp population) const;

  mlir::SymbolTable symbols;
};

/// Gives the population a copy of its model that has a name of its own.
dend::NeuronOp copyModel(dend::PopulationOp population);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_NETWORK_BOUNDMODEL_H
