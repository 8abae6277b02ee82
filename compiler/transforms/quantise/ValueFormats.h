// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed-point format for every real value of a step body. Values that are
// added, compared or chosen between share one format, so that only products
// are rescaled; its exponent follows from the largest range seen among them.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_VALUEFORMATS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_VALUEFORMATS_H

#include "dialects/dend/Dend.h"

#include <string>
#include <vector>

namespace dendrolith {

/// !dend.fx<bits, e> with the smallest e such that 2^headroom * magnitude is
/// within range.
dend::FxType formatFor(mlir::MLIRContext *context, double magnitude,
                       unsigned bits, unsigned headroom);

class ValueFormats {
public:
  /// Finds the formats of a model whose structure ops are expanded. `magnitude`
  /// gives the largest absolute value seen of an op result, argument or
  /// literal, in reals; values have `bits` bits, two of them room above what
  /// was seen.
  ValueFormats(dend::NeuronOp model,
               std::function<double(mlir::Value)> magnitude, unsigned bits);

  /// The format of a real result of an op, or of a state.
  dend::FxType of(mlir::Value value) const;
  /// The format that the real operands of an op without a real result are
  /// brought to.
  dend::FxType ofOperands(mlir::Operation *op) const;
  /// The one format in which a port or parameter is used, null if it is a
  /// factor somewhere or used in several.
  dend::FxType onlyUse(mlir::Value source) const;

  /// The format of a port as a factor, where its own width would make products
  /// too wide.
  dend::FxType ofFactor(mlir::Value port) const {
    return formatFor(port.getContext(), magnitude(port), bits, kHeadroom);
  }

  static constexpr unsigned kHeadroom = 2; // bits

private:
  unsigned node(mlir::Value value);
  unsigned find(unsigned node) const;
  void unite(unsigned a, unsigned b);
  /// Notes that the values, which are part of `op`, share a format.
  void share(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values);
  void visit(mlir::Operation *op);
  void useAsFactor(mlir::Value value) { factors.insert(value); }

  dend::NeuronOp model;
  std::function<double(mlir::Value)> magnitude;
  unsigned bits;
  mutable std::vector<unsigned> parent;
  llvm::DenseMap<mlir::Value, unsigned> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> anchors;
  /// Ports, parameters and literals, each with the class of values that it is
  /// brought to.
  std::vector<std::pair<mlir::Value, unsigned>> sources;
  /// The one format in which a source is used; null if there are several.
  llvm::DenseMap<mlir::Value, dend::FxType> onlyFormat;
  llvm::DenseSet<mlir::Value> factors;
  std::vector<dend::FxType> formats; // by root
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_VALUEFORMATS_H
