// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that several verifiers of the dialect share. Each emits its own error
// on the operation.
#ifndef NEURITE_DIALECTS_DEND_CHECKS_H
#define NEURITE_DIALECTS_DEND_CHECKS_H

#include "dialects/dend/Dend.h"

#include <optional>

namespace neurite::dend {

/// Largest number of elements of a value, neurons of a population, and so on:
/// the numbering of the hardware tables is 32 bits wide.
constexpr int64_t kLargestCount = INT32_MAX;

/// Product of positive extents, none if one is not positive or the product
/// exceeds kLargestCount.
std::optional<int64_t> countOf(llvm::ArrayRef<int64_t> shape);

/// What numbers an operation takes, as flags of `checkNumbers`.
enum Numbers : unsigned {
  kReal = 1,
  kFixed = 2,
  kInt = 4,  // i32
  kBool = 8, // i1
  kComplex = 16,
  kOrdered = kReal | kFixed | kInt,
  kAny = 31
};

/// Every operand and result is a body value (Dend.h: isBodyType).
mlir::LogicalResult checkBodyValues(mlir::Operation *op);
/// The types hold numbers of one element type, of an allowed kind.
mlir::LogicalResult checkNumbers(mlir::Operation *op, mlir::TypeRange types,
                                 unsigned allowed);
/// `type` has the given shape; `what` names the value.
mlir::LogicalResult checkShape(mlir::Operation *op, llvm::StringRef what,
                               mlir::Type type, llvm::ArrayRef<int64_t> shape);
/// `type` has the given element type; `what` names the value.
mlir::LogicalResult checkElement(mlir::Operation *op, llvm::StringRef what,
                                 mlir::Type type, mlir::Type element);
/// Element-wise with broadcast: tensor operands have one shape, which is the
/// result's; only scalars give a scalar.
mlir::LogicalResult checkBroadcast(mlir::Operation *op,
                                   mlir::TypeRange operands, mlir::Type result);
/// checkBodyValues, checkNumbers and checkBroadcast over all operands and the
/// only result.
mlir::LogicalResult checkElementwise(mlir::Operation *op, unsigned allowed);

/// "tensor<3x2>"-like text of a shape for messages: "3 x 2" or "scalar".
std::string shapeName(llvm::ArrayRef<int64_t> shape);

} // namespace neurite::dend

#endif // NEURITE_DIALECTS_DEND_CHECKS_H
