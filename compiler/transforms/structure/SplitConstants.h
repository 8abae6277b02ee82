// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network's side of splitting a complex model: constants and bindings.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_SPLITCONSTANTS_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_SPLITCONSTANTS_H

#include "compiler/transforms/network/BoundModel.h"

namespace dendrolith {

/// The parts' names: "A.re" and "A.im".
std::string partName(llvm::StringRef name, bool imaginary);

class SplitConstants {
public:
  explicit SplitConstants(dend::NeuronOp model);

  /// Whether every complex parameter and initial value of the model has
  /// elements in every population.
  bool canSplit();
  /// Binds the parts of a complex parameter in every population.
  void splitParameter(llvm::StringRef name);
  /// Gives the initial values of the two parts of a complex state; null stands
  /// for zero.
  std::pair<mlir::Attribute, mlir::Attribute> splitInit(mlir::Attribute init);
  /// Binds a parameter to one bit per neuron, set in [first, end).
  void bindRange(llvm::StringRef name, int64_t first, int64_t end);
  /// Erases the complex constants that nothing names any more.
  void eraseUnused();

private:
  /// The constant @name.re or @name.im, which is made when it is first asked
  /// for.
  mlir::FlatSymbolRefAttr part(dend::ConstantOp constant, bool imaginary);

  BoundModel all;
  llvm::SmallVector<dend::ConstantOp> split;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_SPLITCONSTANTS_H
