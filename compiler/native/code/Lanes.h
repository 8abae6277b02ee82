// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of several neurons side by side, as ops of `arith` on vectors, or on
// numbers where a neuron stands alone. A value is held in as many bits as it
// takes: 1, 32, 64 or, for exact products of wide numbers, 128.

#ifndef DENDROLITH_COMPILER_NATIVE_CODE_LANES_H
#define DENDROLITH_COMPILER_NATIVE_CODE_LANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <cstdint>

namespace dendrolith::native {

/// A value of each lane. One of 1 bit is 0 or 1, others have signs.
struct Lane {
  mlir::Value value;
  unsigned held = 64; // bits
};

/// 32, 64 or 128: how a value of so many bits, sign included, is held.
inline unsigned holding(unsigned bits) {
  return bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
}

class Lanes {
public:
  Lanes(mlir::OpBuilder &builder, unsigned count)
      : b(builder), loc(builder.getUnknownLoc()), count(count) {}

  mlir::Type type(unsigned held) const;
  Lane constant(int64_t value, unsigned held);
  Lane constant(const llvm::APInt &value);
  /// Repeats a number of i64 in all lanes.
  Lane repeat(mlir::Value number, unsigned held);
  /// The same value held in other bits, which may be too few: the lowest stay.
  Lane as(const Lane &x, unsigned held);
  mlir::Value isNotZero(const Lane &x); // i1 of each lane

  // Both operands are held alike. What does not fit is lost on the left.
  Lane add(const Lane &x, const Lane &y);
  Lane sub(const Lane &x, const Lane &y);
  Lane mul(const Lane &x, const Lane &y);
  Lane both(const Lane &x, const Lane &y);   // bit by bit
  Lane either(const Lane &x, const Lane &y); // bit by bit
  Lane least(const Lane &x, const Lane &y);
  Lane most(const Lane &x, const Lane &y);
  Lane shiftLeft(const Lane &x, const Lane &amount);
  Lane shiftRight(const Lane &x, const Lane &amount); // keeps the sign
  Lane shiftRightUnsigned(const Lane &x, const Lane &amount);
  Lane compare(mlir::arith::CmpIPredicate predicate, const Lane &x,
               const Lane &y);
  Lane choose(const Lane &condition, const Lane &x, const Lane &y);

  mlir::OpBuilder &b;
  const mlir::Location loc;
  const unsigned count;

private:
  /// An op whose operands and result are held alike.
  template <typename Op> Lane of(const Lane &x, const Lane &y);
};

} // namespace dendrolith::native

#endif // DENDROLITH_COMPILER_NATIVE_CODE_LANES_H
