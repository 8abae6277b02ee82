// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normal forms of the values of a step body.

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

/// Scalars of f64 and i1 have a form. What is no affine function is an atom, as
/// states and ports are.
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
  AffineForm newAtom(mlir::Value value);
  AffineForm newCondition(mlir::Value value);
  AffineForm compared(dend::CmpOp op);
  AffineForm parameter(BoundModel &model, mlir::Value value);
  void visit(mlir::Operation *op);
  std::optional<AffineForm> real(mlir::Operation *op);
  std::optional<AffineForm> truth(mlir::Operation *op);
  std::optional<AffineForm> quotientOf(dend::DivOp op);
  std::optional<AffineForm> chosen(mlir::Value condition, const AffineForm &yes,
                                   const AffineForm &no);
  std::optional<AffineForm> compartment(dend::CompartmentOp op);
  void fired(dend::FireOp op);

  llvm::DenseMap<mlir::Value, AffineForm> forms;
  std::vector<mlir::Value> atoms;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_BODYFORMS_H
