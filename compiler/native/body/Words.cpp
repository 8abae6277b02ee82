// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/Words.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace dendrolith::native::body {

using namespace mlir;

At Words::plus(At x, At y) {
  At sum{x.fixed + y.fixed, x.more ? x.more : y.more};
  if (x.more && y.more)
    sum.more = arith::AddIOp::create(b, loc, x.more, y.more);
  return sum;
}

At Words::times(At at, int64_t by) {
  At product{at.fixed * by, at.more};
  if (at.more && by != 1)
    product.more = arith::MulIOp::create(b, loc, at.more, number(by));
  return product;
}

Value Words::pointer(Space space, At at) {
  at = times(at, space == Shared ? 1 : int64_t(lanes.count));
  const mlir::Type pointer = memories[space].getType();
  Value to = memories[space];
  if (at.more)
    to = LLVM::GEPOp::create(b, loc, pointer, b.getF64Type(), to,
                             ValueRange{at.more});
  if (at.fixed)
    to = LLVM::GEPOp::create(b, loc, pointer, b.getF64Type(), to,
                             ValueRange{number(at.fixed)});
  return to;
}

mlir::Type Words::type(mlir::Type of, unsigned width) {
  mlir::Type one = dend::elementType(of);
  if (dend::isReal(of) || dend::isComplex(of))
    one = b.getF64Type();
  else if (!one.isInteger(1))
    one = b.getI64Type();
  const int64_t count = int64_t(width) * lanes.count;
  return count == 1 ? one : VectorType::get({count}, one);
}

/// Memories are those of vectors of 64-bit words.
constexpr unsigned kAlignment = 8;

Value Words::load(mlir::Type of, Space space, At at, unsigned width) {
  const mlir::Type wanted = type(of, width);
  const bool isBool = getElementTypeOrSelf(wanted).isInteger(1);
  const bool repeats = space == Shared && lanes.count > 1;
  mlir::Type stored = isBool ? Lanes(b, width * lanes.count).type(64) : wanted;
  if (repeats)
    stored = getElementTypeOrSelf(stored);
  Value word =
      LLVM::LoadOp::create(b, loc, stored, pointer(space, at), kAlignment);
  if (repeats)
    word = vector::BroadcastOp::create(
        b, loc, VectorType::get({int64_t(lanes.count)}, stored), word);
  if (!isBool)
    return word;
  Lanes all(b, width * lanes.count);
  return all.isNotZero({word, 64});
}

void Words::store(Value value, Space space, At at) {
  if (getElementTypeOrSelf(value).isInteger(1))
    value = Lanes(b, widthOf(value) * lanes.count).as({value, 1}, 64).value;
  LLVM::StoreOp::create(b, loc, value, pointer(space, at), kAlignment);
}

Value Words::real(double x, unsigned width) {
  const mlir::Type all = type(b.getF64Type(), width);
  TypedAttr attribute = b.getF64FloatAttr(x);
  if (auto shape = dyn_cast<VectorType>(all))
    attribute = DenseElementsAttr::get(shape, x);
  return arith::ConstantOp::create(b, loc, attribute);
}

Value Words::number(int64_t x) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(x));
}

unsigned Words::widthOf(Value x) {
  auto shape = dyn_cast<VectorType>(x.getType());
  return shape ? unsigned(shape.getNumElements()) / lanes.count : 1;
}

Value Words::widen(Value x, unsigned width) {
  if (width == widthOf(x))
    return x;
  return vector::BroadcastOp::create(
      b, loc, VectorType::get({int64_t(width)}, x.getType()), x);
}

Value Words::add(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}
Value Words::sub(Value x, Value y) {
  return arith::SubFOp::create(b, loc, x, y);
}
Value Words::mul(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}
Value Words::div(Value x, Value y) {
  return arith::DivFOp::create(b, loc, x, y);
}
Value Words::neg(Value x) { return arith::NegFOp::create(b, loc, x); }
Value Words::is(arith::CmpFPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, loc, predicate, x, y);
}
Value Words::choose(Value which, Value yes, Value no) {
  return arith::SelectOp::create(b, loc, which, yes, no);
}

} // namespace dendrolith::native::body
