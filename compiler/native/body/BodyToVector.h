// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step body as a function: one loop over the neurons of a population, with
// everything that an update does inside.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_BODYTOVECTOR_H
#define DENDROLITH_COMPILER_NATIVE_BODY_BODYTOVECTOR_H

#include "dialects/dend/fast/CompiledBody.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace dendrolith::native::body {

/// What the code of a body depends on, beside how many neurons it updates at a
/// time: bodies that differ in names and numbers alone have the same.
std::string keyOf(dend::NeuronOp model);

/// Writes the function `name`, a dend::BodyFunction, in the dialects arith,
/// math, vector, scf and llvm, where the builder stands. It updates `lanes`
/// neurons at a time; where that is one, 8 elements of it. The body of the
/// model is one that isKnown(). Returns what callers need beside the function,
/// whose address is not there yet.
mlir::FailureOr<dend::CompiledBody> writeBody(mlir::OpBuilder &b,
                                              dend::NeuronOp model,
                                              int64_t lanes,
                                              llvm::StringRef name);

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_BODYTOVECTOR_H
