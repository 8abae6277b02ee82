// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header is about reading and making the elements of `dend.constant` and
// of other blobs.

#ifndef DENDROLITH_DIALECTS_DEND_CONSTANTS_H
#define DENDROLITH_DIALECTS_DEND_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <vector>

namespace dendrolith::dend {

/// Reads the elements of a dense or dense_resource attribute in row-major
/// order; integers are converted exactly, complex numbers are (re, im) pairs.
/// It fails on a resource that is missing or of the wrong size, and on elements
/// that are neither f32, f64 or complex numbers of them, nor integers of at
/// most 64 bits.
mlir::FailureOr<std::vector<double>> readReals(mlir::ElementsAttr attr);

/// Does what readReals does, for integer elements only, which count as signed.
mlir::FailureOr<std::vector<int64_t>> readInts(mlir::ElementsAttr attr);

/// These read the elements of the dend.constant that a symbol names, seen from
/// `from`. They fail without a diagnostic if there is none or it has no
/// elements, and as above.
mlir::FailureOr<std::vector<double>> readReals(mlir::Operation *from,
                                               mlir::Attribute symbol);
mlir::FailureOr<std::vector<int64_t>> readInts(mlir::Operation *from,
                                               mlir::Attribute symbol);

/// Makes an elements attribute of type `type` (f32, f64, complex of those as
/// (re, im) pairs, i1..i64 elements); more than a few elements become a
/// resource blob called `name`, which keeps them out of the attribute uniquer.
/// Integer values must fit the element type.
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::StringRef name,
                                const std::vector<double> &values);
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::StringRef name,
                                const std::vector<int64_t> &values);

/// Does the same with elements that are in the type of the blob already (int8_t
/// to int32_t). The blob takes them over, so nothing is copied.
template <typename T>
mlir::ElementsAttr takeElements(mlir::RankedTensorType type,
                                llvm::StringRef name, std::vector<T> values);

extern template mlir::ElementsAttr
    takeElements(mlir::RankedTensorType, llvm::StringRef, std::vector<int8_t>);
extern template mlir::ElementsAttr
    takeElements(mlir::RankedTensorType, llvm::StringRef, std::vector<int16_t>);
extern template mlir::ElementsAttr
    takeElements(mlir::RankedTensorType, llvm::StringRef, std::vector<int32_t>);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_CONSTANTS_H
