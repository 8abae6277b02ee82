// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/code/Lanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace dendrolith::native {

using namespace mlir;

Type Lanes::type(unsigned held) const {
  const Type number = b.getIntegerType(held);
  return count == 1 ? number : VectorType::get({int64_t(count)}, number);
}

Lane Lanes::constant(const llvm::APInt &value) {
  const unsigned held = value.getBitWidth();
  const Type all = type(held);
  TypedAttr attribute = b.getIntegerAttr(b.getIntegerType(held), value);
  if (auto shape = dyn_cast<VectorType>(all))
    attribute = DenseElementsAttr::get(shape, value);
  return {arith::ConstantOp::create(b, loc, attribute), held};
}

Lane Lanes::constant(int64_t value, unsigned held) {
  return constant(llvm::APInt(held, static_cast<uint64_t>(value),
                              /*isSigned=*/true, /*implicitTrunc=*/true));
}

Lane Lanes::repeat(Value number, unsigned held) {
  if (held != 64)
    number = arith::TruncIOp::create(b, loc, b.getIntegerType(held), number);
  if (count > 1)
    number = vector::BroadcastOp::create(b, loc, type(held), number);
  return {number, held};
}

Lane Lanes::as(const Lane &x, unsigned held) {
  if (x.held == held)
    return x;
  if (held == 1)
    return {isNotZero(x), 1};
  const Type to = type(held);
  if (x.held > held)
    return {arith::TruncIOp::create(b, loc, to, x.value), held};
  if (x.held == 1)
    return {arith::ExtUIOp::create(b, loc, to, x.value), held};
  return {arith::ExtSIOp::create(b, loc, to, x.value), held};
}

Value Lanes::isNotZero(const Lane &x) {
  if (x.held == 1)
    return x.value;
  return compare(arith::CmpIPredicate::ne, x, constant(0, x.held)).value;
}

template <typename Op> Lane Lanes::of(const Lane &x, const Lane &y) {
  return {Op::create(b, loc, x.value, y.value), x.held};
}

Lane Lanes::add(const Lane &x, const Lane &y) {
  return of<arith::AddIOp>(x, y);
}
Lane Lanes::sub(const Lane &x, const Lane &y) {
  return of<arith::SubIOp>(x, y);
}
Lane Lanes::mul(const Lane &x, const Lane &y) {
  return of<arith::MulIOp>(x, y);
}
Lane Lanes::both(const Lane &x, const Lane &y) {
  return of<arith::AndIOp>(x, y);
}
Lane Lanes::either(const Lane &x, const Lane &y) {
  return of<arith::OrIOp>(x, y);
}
Lane Lanes::least(const Lane &x, const Lane &y) {
  return of<arith::MinSIOp>(x, y);
}
Lane Lanes::most(const Lane &x, const Lane &y) {
  return of<arith::MaxSIOp>(x, y);
}
Lane Lanes::shiftLeft(const Lane &x, const Lane &amount) {
  return of<arith::ShLIOp>(x, amount);
}
Lane Lanes::shiftRight(const Lane &x, const Lane &amount) {
  return of<arith::ShRSIOp>(x, amount);
}
Lane Lanes::shiftRightUnsigned(const Lane &x, const Lane &amount) {
  return of<arith::ShRUIOp>(x, amount);
}

Lane Lanes::compare(arith::CmpIPredicate predicate, const Lane &x,
                    const Lane &y) {
  return {arith::CmpIOp::create(b, loc, predicate, x.value, y.value), 1};
}

Lane Lanes::choose(const Lane &condition, const Lane &x, const Lane &y) {
  return {
      arith::SelectOp::create(b, loc, isNotZero(condition), x.value, y.value),
      x.held};
}

} // namespace dendrolith::native
