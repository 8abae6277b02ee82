// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of a step body one after the other: element-wise ones, and those that go
// through elements in a way of their own.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BLOCKS_H
#define DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BLOCKS_H

#include "runtime/session/jit/bodies/Elements.h"

namespace dendrolith::sim::jit::bodies {

class Blocks {
public:
  Blocks(Words &words, const Places &places)
      : w(words), places(places), e(words, places) {}

  /// All ops of a block but its end.
  void write(mlir::Block &block);
  /// What the body emits, and the new states, which replace the old ones.
  void writeEnd(dend::YieldOp yield);

private:
  void write(mlir::Operation *op);
  void copy(mlir::Value from, int64_t to, Space space);

  // Moves.cpp
  void concat(dend::ConcatOp op);
  void roll(dend::RollOp op);
  void take(mlir::Value result, int64_t first);
  // Sums.cpp
  void dot(dend::DotOp op);
  void matVec(dend::MatVecOp op);
  void vecMat(dend::VecMatOp op);
  void reduce(dend::ReduceOp op);
  void outer(mlir::Operation *op);
  void mark(dend::TopKOp op);
  void callMath(dend::MathOp op);
  /// Sums of `terms` terms, some elements of the result side by side: the
  /// factors of term k of the elements from `at` on are left(at, k, width) and
  /// right(...). Each sum has its terms in order.
  template <typename Left, typename Right>
  void sum(mlir::Value result, int64_t terms, bool inWidth, Left left,
           Right right);
  // Branches.cpp
  void branch(dend::BranchOp op);
  mlir::Value branchSum(dend::BranchOp op, mlir::Value input,
                        mlir::Value present);
  void when(dend::WhenOp op);
  mlir::Value isPresent(int64_t first, int64_t end);

  Words &w;
  const Places &places;
  Elements e;
};

} // namespace dendrolith::sim::jit::bodies

#endif // DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BLOCKS_H
