// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This header has constants as verifiers see them: raw elements, and what they
// are bound to.
#ifndef DENDROLITH_DIALECTS_DEND_BINDINGS_H
#define DENDROLITH_DIALECTS_DEND_BINDINGS_H

#include "dialects/dend/Checks.h"

namespace dendrolith::dend {

/// These are elements in place, without a copy. A splat has one element.
struct RawElements {
  mlir::Type element;
  llvm::ArrayRef<char> bytes;
  int64_t count = 0;

  /// Number i of a float constant, part i (re, im, re, ...) of a complex one.
  double real(int64_t i) const;
  /// Element i of an integer constant of 8 to 64 bits, sign-extended.
  int64_t integer(int64_t i) const;
};

/// The elements of a dense or dense_resource attribute of f32, f64, complex of
/// those or i8 to i64; none for other types, and for a resource whose size
/// does not match.
std::optional<RawElements> rawElements(mlir::ElementsAttr value);

/// Checks that the constant has `shape` and elements that stand for
/// `valueType`'s: any float for real, complex for complex, integers within
/// range for fixed point and i32. Errors on `op`, with a note at the constant.
mlir::LogicalResult checkBound(mlir::Operation *op, llvm::StringRef what,
                               ConstantOp constant, mlir::Type valueType,
                               llvm::ArrayRef<int64_t> shape);

/// The operation called `name` in the network around `op`, of kind Op. Errors
/// on `op`, with a note at an operation of another kind.
template <typename Op>
mlir::FailureOr<Op> resolve(mlir::Operation *op, llvm::StringRef what,
                            mlir::FlatSymbolRefAttr name,
                            mlir::SymbolTableCollection &symbols) {
  mlir::Operation *found = symbols.lookupNearestSymbolFrom(op, name);
  if (auto wanted = llvm::dyn_cast_or_null<Op>(found))
    return wanted;
  mlir::InFlightDiagnostic diagnostic = op->emitOpError()
                                        << what << " " << name;
  if (!found) {
    llvm::SmallVector<llvm::StringRef> known;
    if (auto network = op->getParentOfType<NetworkOp>())
      for (Op one : network.template getOps<Op>())
        known.push_back(one.getSymName());
    return diagnostic << " is not in the network"
                      << insteadOf(name.getValue(), known);
  }
  diagnostic << " is no " << Op::getOperationName();
  diagnostic.attachNote(found->getLoc()) << "declared here";
  return diagnostic;
}

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_BINDINGS_H
