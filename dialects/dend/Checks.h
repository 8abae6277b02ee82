// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that several verifiers of the dialect share, beside those that
// TableGen names as traits (BodyTraits.h). Each emits its own error on the
// operation.
#ifndef DENDROLITH_DIALECTS_DEND_CHECKS_H
#define DENDROLITH_DIALECTS_DEND_CHECKS_H

#include "dialects/dend/Dend.h"

#include <optional>

namespace dendrolith::dend {

/// The largest number of elements of a value, of neurons of a population, and
/// so on, because the numbering of the hardware tables is 32 bits wide.
constexpr int64_t kLargestCount = INT32_MAX;

/// The product of positive extents, none if one is not positive or the product
/// exceeds kLargestCount.
std::optional<int64_t> countOf(llvm::ArrayRef<int64_t> shape);

/// Checks that the types hold numbers of one element type, which is of an
/// allowed kind (flags of `Numbers`).
mlir::LogicalResult checkNumbers(mlir::Operation *op, mlir::TypeRange types,
                                 unsigned allowed);
/// Checks that `type` has the given shape; `what` names the value.
mlir::LogicalResult checkShape(mlir::Operation *op, llvm::StringRef what,
                               mlir::Type type, llvm::ArrayRef<int64_t> shape);
/// Checks that `type` has the given element type; `what` names the value.
mlir::LogicalResult checkElement(mlir::Operation *op, llvm::StringRef what,
                                 mlir::Type type, mlir::Type element);
/// Like the check of all operands (BodyTraits.h), for some of them: those that
/// are tensors have one shape, which is the result's.
mlir::LogicalResult checkBroadcast(mlir::Operation *op,
                                   mlir::TypeRange operands, mlir::Type result);

/// ", did you mean 'x'?" for the nearest of `known`, or else what there is:
/// "; there is 'x', 'y'" or "; there is none".
std::string insteadOf(llvm::StringRef word,
                      llvm::ArrayRef<llvm::StringRef> known);

/// The same for the names of ports, parameters, states or outputs of a model.
template <typename Part>
std::string insteadOf(llvm::StringRef word, mlir::ArrayAttr parts) {
  llvm::SmallVector<llvm::StringRef> known;
  for (Part part : parts.getAsRange<Part>())
    known.push_back(part.getName());
  return insteadOf(word, known);
}

/// The text of a shape for messages, as numpy writes it: "(3, 4)", "(3,)" or,
/// for a scalar, "()".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_CHECKS_H
