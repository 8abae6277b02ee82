// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float body ops into fixed point, in place.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_BODYREWRITER_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_BODYREWRITER_H

#include "compiler/transforms/quantise/ValueFormats.h"

namespace dendrolith {

/// Width of parameters and literals that values are multiplied by.
constexpr unsigned kCoefficientBits = 16;

/// Real numbers of a literal.
std::vector<double> realsOf(dend::LiteralOp literal);
double magnitudeOf(dend::LiteralOp literal);

class BodyRewriter {
public:
  explicit BodyRewriter(const ValueFormats &formats) : formats(formats) {}

  /// The model's arguments have their fixed-point types. A product is rounded
  /// to its format at once, half to even. Element-wise results saturate, which
  /// a run counts; sums over elements are modular. Fails with a
  /// diagnostic on an op that has no fixed-point form.
  mlir::LogicalResult rewrite(dend::NeuronOp model);

private:
  using Value = mlir::Value;

  mlir::LogicalResult rewrite(mlir::Operation *op);
  mlir::LogicalResult rewriteInOneFormat(dend::BodyOpInterface op);
  mlir::LogicalResult rewriteToReal(dend::ToRealOp real);
  /// A value in a format, made in front of `op` if it has another.
  Value as(Value value, dend::FxType format, mlir::Operation *op);
  /// A value to multiply by.
  Value factor(Value value, mlir::Operation *op);
  Value literal(dend::LiteralOp from, dend::FxType format, mlir::Operation *op);
  /// Real operands in one format.
  void bring(mlir::Operation *op, dend::FxType format);
  void setType(Value result);

  const ValueFormats &formats;
  llvm::DenseMap<std::tuple<Value, mlir::Type, mlir::Block *>, Value> rescaled;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_BODYREWRITER_H
