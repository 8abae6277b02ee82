// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step body as a function: one loop over the neurons of a population, with
// everything that an update does inside.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_BODYTOVECTOR_H
#define DENDROLITH_COMPILER_NATIVE_BODY_BODYTOVECTOR_H

#include "dialects/dend/fast/CompiledBody.h"

#include "compiler/native/body/Places.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

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

// Ops of a step body become ops of arith, math, vector, scf and llvm: a pattern
// for each kind of op. A value is no converted value, because most of them are
// words of a memory or computed where they are read. Patterns find what they
// read by its place (Elements.h), and the ops stay until all have been
// converted.

void populateBodyToVectorPatterns(mlir::RewritePatternSet &patterns,
                                  BodyState &state);

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_BODYTOVECTOR_H
