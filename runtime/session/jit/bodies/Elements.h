// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of the values of a step body: read where they are kept, or computed.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_BODIES_ELEMENTS_H
#define DENDROLITH_RUNTIME_SESSION_JIT_BODIES_ELEMENTS_H

#include "runtime/session/jit/bodies/Words.h"

namespace dendrolith::sim::jit::bodies {

class Elements {
public:
  Elements(Words &words, const Places &places) : w(words), places(places) {}

  /// `width` words of a value from word `at` on, which are elements unless it
  /// is complex. The only word of a value repeats.
  mlir::Value read(mlir::Value value, At at, unsigned width);
  /// One element, repeated.
  mlir::Value readOne(mlir::Value value, At at, unsigned width) {
    return w.widen(read(value, at, 1), width);
  }
  /// Keeps words of a value where its place is.
  void keep(mlir::Value value, At at, mlir::Value words);
  /// Computes all elements of a result of a pointwise op, and keeps them.
  void keepAll(mlir::Value result);

  /// `width` elements of a result of a pointwise op, computed.
  mlir::Value compute(mlir::OpResult result, At at, unsigned width);
  /// act(x), with `spare` words of scratch for a function that is called.
  mlir::Value activate(dend::Activation activation, mlir::Value x,
                       int64_t spare);
  /// Calls the interpreter's function on words of a memory, in place.
  void call(dend::Function function, Space space, int64_t word, int64_t count);

private:
  mlir::Value combine(mlir::Operation *op, At at, unsigned width);
  mlir::Value compare(dend::CmpOp op, mlir::Value x, mlir::Value y);
  mlir::Value join(dend::JoinOp op, At at, unsigned width);
  mlir::Value fire(dend::FireOp op, unsigned result, At at, unsigned width);
  mlir::Value ssf(dend::SsfOp op, At at, unsigned width);
  mlir::Value toReal(mlir::Value input, At at, unsigned width);

  Words &w;
  const Places &places;
  llvm::DenseMap<mlir::Value, std::vector<mlir::Value>> registers;
};

} // namespace dendrolith::sim::jit::bodies

#endif // DENDROLITH_RUNTIME_SESSION_JIT_BODIES_ELEMENTS_H
