// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What TableGen says of body ops in a word: checks that many of them share, and
// properties that BodyOpInterface answers from. The checks have the dialect's
// own wording, so those that TableGen's type constraints would answer in other
// words are structural traits, which are verified before the constraints.
#ifndef DENDROLITH_DIALECTS_DEND_BODYTRAITS_H
#define DENDROLITH_DIALECTS_DEND_BODYTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace dendrolith::dend {

/// Kinds of numbers that a body value can hold, as flags.
enum Numbers : unsigned {
  kReal = 1,
  kFixed = 2,
  kInt = 4,  // i32
  kBool = 8, // i1
  kComplex = 16,
  kOrdered = kReal | kFixed | kInt,
  kAny = 31
};

/// The kind of number that a body value of this type holds.
Numbers numbersOf(mlir::Type type);

/// Checks that every operand and result is a body value (Dend.h: isBodyType).
mlir::LogicalResult checkBodyValues(mlir::Operation *op);
/// Checks that all operands and the only result hold numbers of one element
/// type, which is of an allowed kind.
mlir::LogicalResult checkSameNumbers(mlir::Operation *op, unsigned allowed);
/// Checks that tensor operands have one shape, which is the only result's;
/// operands that are all scalars give a scalar.
mlir::LogicalResult checkBroadcast(mlir::Operation *op);

/// The type of an element-wise result: `element` in the shape of the first
/// operand that is a tensor.
mlir::Type broadcastType(mlir::Type element, mlir::TypeRange operands);

namespace OpTrait {

template <typename Op>
class BodyValues : public mlir::OpTrait::TraitBase<Op, BodyValues> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return checkBodyValues(op);
  }
};

template <unsigned allowed> struct SameNumbers {
  template <typename Op>
  class Impl : public mlir::OpTrait::TraitBase<Op, Impl> {
  public:
    static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
      return checkSameNumbers(op, allowed);
    }
  };
};

template <typename Op>
class Broadcasts : public mlir::OpTrait::TraitBase<Op, Broadcasts> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return checkBroadcast(op);
  }
};

/// Marks an op of which element i of the result follows from the elements i of
/// the operands alone, where a scalar operand counts for every i.
template <typename Op>
class Elementwise : public mlir::OpTrait::TraitBase<Op, Elementwise> {};

/// Marks an op that gives zeros where all its operands are zeros.
template <typename Op>
class KeepsZero : public mlir::OpTrait::TraitBase<Op, KeepsZero> {};

/// Marks an op whose real operands and results share one fixed-point format,
/// because they are added, compared, chosen between or only moved.
template <typename Op>
class OneFormat : public mlir::OpTrait::TraitBase<Op, OneFormat> {};

/// Marks an op that an engine of integers cannot carry out as it stands: it is
/// defined on reals only, or other body ops are written out for it first.
template <typename Op>
class NoIntegerForm : public mlir::OpTrait::TraitBase<Op, NoIntegerForm> {};

} // namespace OpTrait
} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_BODYTRAITS_H
