// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and choices of the code that is written, with bodies that are called
// to write what stands inside.

#ifndef DENDROLITH_COMPILER_NATIVE_CODE_LOOPS_H
#define DENDROLITH_COMPILER_NATIVE_CODE_LOOPS_H

#include "compiler/native/code/Lanes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <vector>

namespace dendrolith::native {

class Loops {
public:
  explicit Loops(Lanes &lanes) : l(lanes), b(lanes.b) {}

  /// For each i64 from 0 below `end`, a multiple of `step` at a time. `carried`
  /// are values that pass from one time to the next; the body returns them.
  template <typename Body>
  std::vector<mlir::Value> forEach(mlir::Value end, int64_t step,
                                   const std::vector<mlir::Value> &carried,
                                   Body body) {
    auto loop = mlir::scf::ForOp::create(b, l.loc, fixed(0), index(end),
                                         fixed(step), carried);
    mlir::OpBuilder::InsertionGuard guard(b);
    mlir::Block *inside = loop.getBody();
    if (carried.empty())
      b.setInsertionPoint(inside->getTerminator());
    else
      b.setInsertionPointToEnd(inside);
    mlir::Value at = mlir::arith::IndexCastOp::create(b, l.loc, b.getI64Type(),
                                                      loop.getInductionVar());
    auto given = loop.getRegionIterArgs();
    std::vector<mlir::Value> next =
        body(at, std::vector<mlir::Value>(given.begin(), given.end()));
    if (!carried.empty())
      mlir::scf::YieldOp::create(b, l.loc, next);
    return {loop.getResults().begin(), loop.getResults().end()};
  }
  template <typename Body>
  void forEach(mlir::Value end, int64_t step, Body body) {
    forEach(end, step, {},
            [&](mlir::Value at, const std::vector<mlir::Value> &) {
              body(at);
              return std::vector<mlir::Value>();
            });
  }

  /// Where `mask` holds in a lane.
  template <typename Body> void ifAny(mlir::Value mask, Body body) {
    auto choice = mlir::scf::IfOp::create(b, l.loc, isAny(mask),
                                          /*withElseRegion=*/false);
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(choice.thenBlock()->getTerminator());
    body();
  }

  /// Whether `mask` holds in a lane, as one i1.
  mlir::Value isAny(mlir::Value mask) {
    const mlir::Value bits = bitsOf(mask);
    const mlir::Value none = mlir::arith::ConstantOp::create(
        b, l.loc, b.getIntegerAttr(bits.getType(), 0));
    return mlir::arith::CmpIOp::create(b, l.loc, mlir::arith::CmpIPredicate::ne,
                                       bits, none);
  }

  /// A bit for each lane, as one number.
  mlir::Value bitsOf(mlir::Value mask) {
    return l.count == 1 ? mask
                        : mlir::LLVM::BitcastOp::create(
                              b, l.loc, b.getIntegerType(l.count), mask);
  }

private:
  mlir::Value index(mlir::Value i64) {
    return mlir::arith::IndexCastOp::create(b, l.loc, b.getIndexType(), i64);
  }
  mlir::Value fixed(int64_t i) {
    return mlir::arith::ConstantIndexOp::create(b, l.loc, i);
  }

  Lanes &l;
  mlir::OpBuilder &b;
};

} // namespace dendrolith::native

#endif // DENDROLITH_COMPILER_NATIVE_CODE_LOOPS_H
