// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trait of DeclaredAttributes.td. MLIR itself accepts any attribute on any
// operation, and a pass that looks for `cores` would silently not find `corse`.
#ifndef DENDROLITH_DIALECTS_DECLAREDATTRIBUTES_H
#define DENDROLITH_DIALECTS_DECLAREDATTRIBUTES_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"

namespace dendrolith {

template <typename ConcreteType>
class DeclaredAttributes
    : public mlir::OpTrait::TraitBase<ConcreteType, DeclaredAttributes> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    for (mlir::NamedAttribute entry : op->getDiscardableAttrs()) {
      llvm::StringRef name = entry.getName();
      // A name with a dot is the dialect's to verify.
      if (name.contains('.') ||
          name == mlir::SymbolTable::getVisibilityAttrName())
        continue;
      mlir::InFlightDiagnostic error = op->emitOpError()
                                       << "has no attribute '" << name << "'";
      llvm::ArrayRef<mlir::StringAttr> declared =
          op->getName().getAttributeNames();
      error << (declared.empty() ? "; it has none" : "; it has");
      for (mlir::StringAttr known : declared)
        error << (known == declared.front() ? " '" : ", '") << known.getValue()
              << "'";
      return error;
    }
    return mlir::success();
  }
};

} // namespace dendrolith

#endif // DENDROLITH_DIALECTS_DECLAREDATTRIBUTES_H
