// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large a body is, to compare two ways to write it.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_BODYSIZE_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_BODYSIZE_H

#include "dialects/dend/Dend.h"

namespace dendrolith {

/// What a body is made of: structure ops, and operations once they are written
/// as arithmetic.
struct BodySize {
  unsigned structure = 0, operations = 0;
  bool fixedFunction = true; ///< structure that a chip's own neuron may have
};

/// The size of what the values follow from.
BodySize sizeOfBody(llvm::ArrayRef<mlir::Value> values);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_BODYSIZE_H
