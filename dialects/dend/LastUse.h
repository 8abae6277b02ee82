// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large constants that are read for the last time. The context of MLIR keeps
// every blob as long as it lives itself, so that of a network of 10^8 synapses
// each stage would stay in memory: the model's, the mapped one, and the chip's.
// Who compiles once and then only writes the image says so, and each stage lets
// go of what it has read.

#ifndef DENDROLITH_DIALECTS_DEND_LASTUSE_H
#define DENDROLITH_DIALECTS_DEND_LASTUSE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace dendrolith::dend {

/// Says that nobody reads the constants of this network, or of the image that
/// is made of it, after the stage that comes next; clones hear it, too.
void markLastUse(mlir::Operation *op);
bool isLastUse(mlir::Operation *op);

/// Lets go of elements that are a resource. Reading them fails from then on,
/// in every copy of the attribute.
void releaseElements(mlir::Attribute elements);

/// releaseElements() for all attributes of an op.
void releaseAttributes(mlir::Operation *op);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_LASTUSE_H
