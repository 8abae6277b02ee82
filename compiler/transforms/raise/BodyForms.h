// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normal forms of the values of a step body, and its size.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_BODYFORMS_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_BODYFORMS_H

#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/raise/AffineForm.h"

namespace dendrolith {

/// What is 0 or 1: `difference` > 0, >= 0 where it is inclusive. Where it has
/// no difference, it is a value of the body that no form tells more about.
struct Condition {
  AffineForm difference;
  bool inclusive = false;
  mlir::Value value; ///< null where the body has the opposite alone
};

/// Scalars of f64 and i1 have a form, and so have vectors of f64, whose numbers
/// are those of one element after the other. What is no affine function is an
/// atom, as states and ports are; a scalar in a vector's form is the same for
/// all of its elements.
class BodyForms {
public:
  explicit BodyForms(BoundModel &model);

  /// Null where the value has no form, which is then no scalar of f64 or i1.
  const AffineForm *of(mlir::Value value) const;
  mlir::Value atom(unsigned atom) const { return atoms[atom - 1]; }
  /// The atom that a value is; kOne if it is none.
  unsigned atomOf(mlir::Value value) const;

  std::vector<Condition> conditions;

private:
  /// The form of an operand as one of values of that type.
  AffineForm spread(mlir::Value operand, mlir::Type type) const;
  AffineForm newAtom(mlir::Value value);
  AffineForm newCondition(mlir::Value value);
  AffineForm compared(dend::CmpOp op);
  AffineForm parameter(BoundModel &model, mlir::Value value);
  void visit(mlir::Operation *op);
  std::optional<AffineForm> real(mlir::Operation *op);
  std::optional<AffineForm> truth(mlir::Operation *op);
  std::optional<AffineForm> quotientOf(dend::DivOp op);
  std::optional<AffineForm> chosen(const AffineForm &condition,
                                   const AffineForm &yes, const AffineForm &no);
  std::optional<AffineForm> comparedSpike(dend::CmpOp op);
  std::optional<AffineForm> compartment(dend::CompartmentOp op);
  void fired(dend::FireOp op);

  llvm::DenseMap<mlir::Value, AffineForm> forms;
  std::vector<mlir::Value> atoms;
};

/// Whether it is a number or a vector of numbers, in double.
bool hasForm(mlir::Type type);

/// What a body is made of: structure ops, and operations once they are written
/// as arithmetic.
struct BodySize {
  unsigned structure = 0, operations = 0;
  bool fixedFunction = true; ///< structure that a chip's own neuron may have
};

/// The size of what the values follow from.
BodySize sizeOfBody(llvm::ArrayRef<mlir::Value> values);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_BODYFORMS_H
