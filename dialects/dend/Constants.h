// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and making the elements of `dend.constant` and of other blobs.

#ifndef NEURITE_DIALECTS_DEND_CONSTANTS_H
#define NEURITE_DIALECTS_DEND_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <vector>

namespace neurite::dend {

/// Elements of a dense or dense_resource attribute in row-major order, integers
/// converted exactly, complex ones as (re, im) pairs. Fails on an element type
/// that is no f32, f64, complex of those or integer of at most 64 bits, and on
/// a resource that is missing or of the wrong size.
mlir::FailureOr<std::vector<double>> readReals(mlir::ElementsAttr attr);

/// Like readReals for integer elements only (signed interpretation).
mlir::FailureOr<std::vector<int64_t>> readInts(mlir::ElementsAttr attr);

/// Elements of the dend.constant that a symbol names, seen from `from`. Fails
/// without a diagnostic if there is none or it has no elements, and as above.
mlir::FailureOr<std::vector<double>> readReals(mlir::Operation *from,
                                               mlir::Attribute symbol);
mlir::FailureOr<std::vector<int64_t>> readInts(mlir::Operation *from,
                                               mlir::Attribute symbol);

/// Elements attribute of type `type` (f32, f64, complex of those as (re, im)
/// pairs, i1..i64 elements); more than a few elements become a resource blob
/// called `name`, which keeps them out of the attribute uniquer. Integer values
/// must fit the element type.
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::StringRef name,
                                const std::vector<double> &values);
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::StringRef name,
                                const std::vector<int64_t> &values);

/// The same of elements that are in the type of the blob already (int8_t to
/// int32_t), which takes them over: nothing is copied.
template <typename T>
mlir::ElementsAttr takeElements(mlir::RankedTensorType type,
                                llvm::StringRef name, std::vector<T> values);

extern template mlir::ElementsAttr
    takeElements(mlir::RankedTensorType, llvm::StringRef, std::vector<int8_t>);
extern template mlir::ElementsAttr
    takeElements(mlir::RankedTensorType, llvm::StringRef, std::vector<int16_t>);
extern template mlir::ElementsAttr
    takeElements(mlir::RankedTensorType, llvm::StringRef, std::vector<int32_t>);

} // namespace neurite::dend

#endif // NEURITE_DIALECTS_DEND_CONSTANTS_H
