// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops of a step body code is written for, and how each goes through its
// elements.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_BODYOPS_H
#define DENDROLITH_COMPILER_NATIVE_BODY_BODYOPS_H

#include "dialects/dend/Dend.h"

namespace dendrolith::native::body {

template <typename... Ops> struct OpList {};

/// Each element of a result is computed from the elements of operands at the
/// same index, or from their only one. A MathOp that calls a function and a
/// DeltaRuleOp on a matrix are none, although their kinds stand here.
using PointwiseOps =
    OpList<dend::AddOp, dend::SubOp, dend::MulOp, dend::DivOp, dend::MinOp,
           dend::MaxOp, dend::NegOp, dend::AbsOp, dend::ToRealOp, dend::CmpOp,
           dend::SelectOp, dend::ClampOp, dend::CompartmentOp, dend::JoinOp,
           dend::SomaOp, dend::FireOp, dend::SsfOp, dend::SplatOp, dend::MathOp,
           dend::DeltaRuleOp>;

/// Elements and words of a value; a complex number has two words.
inline int64_t sizeOf(mlir::Value value) {
  return dend::elementCount(value.getType());
}
inline int64_t partsOf(mlir::Value value) {
  return dend::isComplex(value.getType()) ? 2 : 1;
}
inline int64_t wordsOf(mlir::Value value) {
  return sizeOf(value) * partsOf(value);
}

bool isPointwise(mlir::Operation *op);
/// A function that the code calls: all but those that processors have.
bool isCall(mlir::Operation *op);
/// A matrix that an outer product is added to.
bool addsOuter(mlir::Operation *op);
/// Whether code is written for every op of the body that an update computes.
bool isKnown(dend::NeuronOp model);

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_BODYOPS_H
