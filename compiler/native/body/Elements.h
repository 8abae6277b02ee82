// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of the values of a step body: read where they are kept, or computed.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_ELEMENTS_H
#define DENDROLITH_COMPILER_NATIVE_BODY_ELEMENTS_H

#include "compiler/native/body/Words.h"
#include "compiler/native/code/Function.h"

namespace dendrolith::native::body {

class Elements {
public:
  using State = BodyState;

  Elements(mlir::OpBuilder &builder, BodyState &state)
      : w(builder, state), places(state.places), state(state) {}

  /// `width` words of a value from word `at` on, which are elements unless it
  /// is complex. The only word of a value repeats.
  mlir::Value read(mlir::Value value, At at, unsigned width);
  /// One element, repeated.
  mlir::Value readOne(mlir::Value value, At at, unsigned width) {
    return w.widen(read(value, at, 1), width);
  }
  /// Keeps words of a value where its place is.
  void keep(mlir::Value value, At at, mlir::Value words);
  /// Copies all words of a value to a memory, from word `to` on.
  void copy(mlir::Value value, int64_t to, Space space);

  /// `width` elements of a result of a pointwise op, computed.
  mlir::Value compute(mlir::OpResult result, At at, unsigned width);
  /// act(x), with `spare` words of scratch for a function that is called.
  mlir::Value activate(dend::Activation activation, mlir::Value x,
                       int64_t spare);
  /// Calls the interpreter's function on words of a memory, in place.
  void call(dend::Function function, Space space, int64_t word, int64_t count);

  Words w;
  const Places &places;
  BodyState &state;

private:
  mlir::Value combine(mlir::Operation *op, At at, unsigned width);
  /// The ops that give a state of the next step.
  mlir::Value nextState(mlir::Operation *op, At at, unsigned width);
  mlir::Value compare(dend::CmpOp op, mlir::Value x, mlir::Value y);
  mlir::Value join(dend::JoinOp op, At at, unsigned width);
  mlir::Value fire(dend::FireOp op, unsigned result, At at, unsigned width);
  mlir::Value ssf(dend::SsfOp op, At at, unsigned width);
  mlir::Value toReal(mlir::Value input, At at, unsigned width);
};

/// The pattern of an op whose code a function writes.
template <typename Op, void (*write)(Op, Elements &)>
using WriteOp = native::WriteOp<Op, Elements, write>;

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_ELEMENTS_H
