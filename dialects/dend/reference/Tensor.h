// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frozen arrays: the elements of `dend.constant`, in place or bound by key.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_TENSOR_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_TENSOR_H

#include "dialects/dend/Dend.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::dend {

/// Numbers in row-major order.
struct Tensor {
  std::vector<int64_t> shape; // empty: one number
  std::vector<double> real;   // real: n, complex: 2 n as (re, im)
  std::vector<int64_t> ints;  // integers and raw fixed point: n
  bool isReal = true;         // `real` holds the elements, else `ints`
  bool isComplex = false;

  /// Number of elements: the product of the shape.
  int64_t size() const;
};

/// Arrays by key for the `extern` constants of a network.
using Bindings = std::map<std::string, Tensor>;

/// Elements of a constant: its own, or those bound to its key (complex ones
/// may be bound as the pair `key_re`, `key_im`), at its leading indices. Reals
/// for float and complex types, integers for the others. Diagnostics on the op
/// for an unbound key, a wrong shape or kind, and for numbers not finite.
mlir::FailureOr<Tensor> readConstant(ConstantOp op, const Bindings &bindings);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_TENSOR_H
