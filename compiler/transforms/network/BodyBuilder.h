// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds body ops in front of an op, at its location, or where a pattern
// rewrites one. Result types follow from the operands: a tensor operand gives
// its shape, scalars are broadcast.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_NETWORK_BODYBUILDER_H
#define DENDROLITH_COMPILER_TRANSFORMS_NETWORK_BODYBUILDER_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/Builders.h"

#include <vector>

namespace dendrolith {

struct NumberFormats;

/// Gives u and v the chip's states: v is clipped, u wraps. 24 bits wrap as
/// Lava's LIF does, which keeps +2^23; any other width as words do.
void setStates(dend::CubaOp op, const NumberFormats &formats);

class BodyBuilder {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  explicit BodyBuilder(mlir::Operation *op) : builder(op), loc(op->getLoc()) {}
  /// Where `builder` is, whose listener hears of each op.
  BodyBuilder(const mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  /// At the end of a block.
  BodyBuilder(mlir::Block &block, mlir::Location loc)
      : builder(mlir::OpBuilder::atBlockEnd(&block)), loc(loc) {}

  Type i1() { return builder.getI1Type(); }
  Type i32() { return builder.getI32Type(); }
  dend::FxType fx(unsigned width, int exponent) {
    return dend::FxType::get(builder.getContext(), width, exponent);
  }

  /// A scalar of a real, integer, boolean or (raw) fixed-point type.
  Value literal(Type type, int64_t value);
  /// A scalar of a float type.
  Value real(Type type, double value);
  /// A vector of raw integers.
  Value vector(dend::FxType type, const std::vector<int64_t> &values);

  Value add(Value a, Value b, dend::Overflow overflow = dend::Overflow::Wrap) {
    return dend::AddOp::create(builder, loc, a, b, overflow);
  }
  Value sub(Value a, Value b) {
    return dend::SubOp::create(builder, loc, a, b);
  }
  /// Exact: in fixed point the widths and the exponents add.
  Value mul(Value a, Value b);
  Value min(Value a, Value b) {
    return dend::MinOp::create(builder, loc, a, b);
  }
  Value max(Value a, Value b) {
    return dend::MaxOp::create(builder, loc, a, b);
  }
  Value neg(Value x) { return dend::NegOp::create(builder, loc, x); }
  Value abs(Value x) { return dend::AbsOp::create(builder, loc, x); }
  Value cmp(dend::Predicate predicate, Value a, Value b) {
    return dend::CmpOp::create(builder, loc, shaped(i1(), {a, b}), predicate, a,
                               b);
  }
  Value select(Value condition, Value yes, Value no) {
    return dend::SelectOp::create(builder, loc, like(yes, {condition, yes, no}),
                                  condition, yes, no);
  }
  Value clamp(Value x, Value low, Value high) {
    return dend::ClampOp::create(builder, loc, x, low, high);
  }
  Value clz(Value x) {
    return dend::ClzOp::create(builder, loc, shaped(i32(), {x}), x);
  }
  /// x * 2^amount in the type of x.
  Value shift(Value x, Value amount, dend::Rounding rounding) {
    return dend::ShiftOp::create(builder, loc, like(x, {x, amount}), x, amount,
                                 rounding);
  }
  /// x itself if it has the type.
  Value rescale(Value x, dend::FxType type, dend::Rounding rounding,
                dend::Overflow overflow);
  /// `low` and `step` in real units of x.
  Value table(Value x, Value knots, double low, double step);
  Value element(Value x, int64_t index);
  /// accumulator + a (x) b
  Value outerAdd(Value accumulator, Value a, Value b) {
    return dend::OuterAddOp::create(builder, loc, accumulator.getType(),
                                    accumulator, a, b);
  }

  /// Sum of all elements.
  Value sum(Value x) {
    return dend::ReduceOp::create(builder, loc, dend::elementType(x.getType()),
                                  dend::Reduction::Sum, x);
  }
  Value math(dend::Function function, Value x) {
    return dend::MathOp::create(builder, loc, x.getType(), function, x);
  }

private:
  /// `element` in the shape of the first tensor among the values.
  static Type shaped(Type element, mlir::ValueRange values) {
    return dend::broadcastType(element, values.getTypes());
  }
  static Type like(Value x, mlir::ValueRange values) {
    return shaped(dend::elementType(x.getType()), values);
  }

  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_NETWORK_BODYBUILDER_H
