// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What TableGen does not say of the element-wise operations of step bodies: how
// the types of their operands and results depend on each other, and literals.
#include "dialects/dend/Checks.h"
#include "dialects/dend/FixedPoint.h"

#include <cmath>

using namespace mlir;

namespace dendrolith::dend {

// The recipes have limits within which 32-bit words hold every value on the
// way.
LogicalResult MathOp::verify() {
  FxType in = fixedType(getInput().getType()), out = fixedType(getType());
  if (!in && !out)
    return checkSameNumbers(*this, kReal);
  if (!in || !out)
    return emitOpError() << "maps " << elementType(getInput().getType())
                         << " to " << elementType(getType())
                         << "; both must be fixed point or both real";
  if (getFunction() == Function::Log)
    return emitOpError() << "has no recipe for log in fixed point, expected "
                            "exp, tanh, sigmoid, sqrt, rsqrt, reciprocal or "
                            "softplus";
  auto checkType = [&](StringRef what, FxType type, unsigned widest,
                       int exponents) -> LogicalResult {
    if (type.getWidth() >= 2 && type.getWidth() <= widest &&
        std::abs(type.getExponent()) <= exponents)
      return success();
    return emitOpError() << "has " << what << " of type " << type
                         << ", expected 2 to " << widest
                         << " bits and an exponent of " << -exponents << " to "
                         << exponents << "; rescale it";
  };
  return failure(failed(checkType("an input", in, 32, 64)) ||
                 failed(checkType("a result", out, 31,
                                  getFunction() == Function::Exp ? 32 : 64)));
}

LogicalResult MulOp::verify() {
  FxType lhs = fixedType(getLhs().getType()),
         rhs = fixedType(getRhs().getType());
  if (!lhs || !rhs) {
    if (lhs || rhs)
      return emitOpError() << "multiplies a fixed-point value by "
                           << elementType((lhs ? getRhs() : getLhs()).getType())
                           << "; both must be fixed point or both real";
    return checkSameNumbers(*this, kReal);
  }
  FxType result = fixedType(getType());
  unsigned width = lhs.getWidth() + rhs.getWidth();
  int exponent = lhs.getExponent() + rhs.getExponent();
  if (width > 64)
    return emitOpError() << "has a product of " << lhs.getWidth() << " + "
                         << rhs.getWidth() << " = " << width
                         << " bits, at most 64 fit; rescale an operand first";
  if (!result || result.getWidth() != width || result.getExponent() != exponent)
    return emitOpError() << "result has element type " << elementType(getType())
                         << ", the exact product is !dend.fx<" << width << ", "
                         << exponent << ">";
  return success();
}

LogicalResult RescaleOp::verify() {
  for (Type type : {getInput().getType(), getType()})
    if (!fixedType(type))
      return emitOpError() << "takes and gives fixed-point values, found "
                           << type;
  return success();
}

LogicalResult ToRealOp::verify() {
  if (failed(checkNumbers(*this, getInput().getType(), kFixed | kInt | kBool)))
    return failure();
  if (!isReal(getType()))
    return emitOpError() << "gives a real value, found " << getType();
  return success();
}

LogicalResult CmpOp::verify() {
  bool equality =
      getPredicate() == Predicate::EQ || getPredicate() == Predicate::NE;
  if (failed(checkNumbers(*this, getOperandTypes(),
                          equality ? kOrdered | kBool : kOrdered)))
    return failure();
  return checkElement(*this, "result", getType(),
                      IntegerType::get(getContext(), 1));
}

LogicalResult SelectOp::verify() {
  if (failed(checkElement(*this, "condition", getCondition().getType(),
                          IntegerType::get(getContext(), 1))))
    return failure();
  return checkNumbers(*this, {getYes().getType(), getNo().getType(), getType()},
                      kAny);
}

LogicalResult ShiftOp::verify() {
  if (failed(checkNumbers(*this, {getInput().getType(), getType()}, kOrdered)))
    return failure();
  return checkElement(*this, "amount", getAmount().getType(),
                      IntegerType::get(getContext(), 32));
}

LogicalResult ClzOp::verify() {
  if (failed(checkNumbers(*this, getInput().getType(), kFixed)))
    return failure();
  return checkElement(*this, "result", getType(),
                      IntegerType::get(getContext(), 32));
}

LogicalResult TableOp::verify() {
  if (failed(checkNumbers(*this, {getKnots().getType(), getType()},
                          kReal | kFixed)))
    return failure();
  FxType input = fixedType(getInput().getType());
  if (bool(input) != bool(fixedType(getType())))
    return emitOpError() << "looks up " << elementType(getInput().getType())
                         << " among knots of " << elementType(getType())
                         << "; both must be fixed point or both real";
  ArrayRef<int64_t> knots = shapeOf(getKnots().getType());
  if (knots.size() != 1 || knots[0] < 2)
    return emitOpError() << "needs a vector of at least 2 knots, found "
                         << getKnots().getType();
  double low = getLow().convertToDouble(), step = getStep().convertToDouble();
  if (!std::isfinite(low) || !std::isfinite(step) || step <= 0)
    return emitOpError() << "needs a finite start and a positive step, found "
                         << low << " and " << step;
  if (input) {
    double lowRaw = std::ldexp(low, -input.getExponent());
    int exponent = 0;
    bool power = std::frexp(step, &exponent) == 0.5;
    int bits = exponent - 1 - input.getExponent();
    if (lowRaw != std::floor(lowRaw) || std::fabs(lowRaw) > 0x1p62)
      return emitOpError() << "starts at " << low
                           << ", which is no multiple of the unit of " << input;
    if (!power || bits < 0 || bits > 62)
      return emitOpError() << "has step " << step
                           << ", expected a power of two times the unit of "
                           << input;
  }
  return checkShape(*this, "result", getType(), shapeOf(getInput().getType()));
}

// Checks that every integer of the attribute fits into `width` bits.
static LogicalResult checkIntegers(LiteralOp op, ElementsAttr elements,
                                   unsigned width, bool isSigned) {
  auto integers = llvm::dyn_cast<DenseIntElementsAttr>(elements);
  if (!integers)
    return op.emitOpError() << "has value " << elements.getElementType()
                            << ", expected integers for " << op.getType();
  auto fits = [&](const APInt &x) {
    return isSigned ? x.isSignedIntN(width) : x.isIntN(width);
  };
  if (integers.isSplat() ? fits(integers.getSplatValue<APInt>())
                         : llvm::all_of(integers.getValues<APInt>(), fits))
    return success();
  return op.emitOpError() << "holds an integer outside the range of "
                          << elementType(op.getType());
}

LogicalResult LiteralOp::verify() {
  Type element = elementType(getType());
  FxType fixed = fixedType(getType());
  bool isBool = element.isInteger(1);
  unsigned width = fixed ? fixed.getWidth() : isBool ? 1 : 32;
  if (auto tensor = llvm::dyn_cast<RankedTensorType>(getType())) {
    auto elements = llvm::dyn_cast<DenseElementsAttr>(getValue());
    if (!elements || elements.getType().getShape() != tensor.getShape())
      return emitOpError() << "needs a dense value of shape "
                           << shapeText(tensor.getShape()) << " for "
                           << getType();
    if (isReal(tensor) || isComplex(tensor)) {
      if (isReal(tensor) != llvm::isa<FloatType>(elements.getElementType()) ||
          isComplex(tensor) !=
              llvm::isa<ComplexType>(elements.getElementType()))
        return emitOpError() << "has a value of " << elements.getElementType()
                             << " for " << getType();
      return success();
    }
    return checkIntegers(*this, elements, width, !isBool);
  }
  if (isReal(getType())) {
    auto number = llvm::dyn_cast<FloatAttr>(getValue());
    if (!number || !number.getValue().isFinite())
      return emitOpError() << "needs a finite float value for " << getType()
                           << ", found " << getValue();
    return success();
  }
  auto number = llvm::dyn_cast<IntegerAttr>(getValue());
  if (!number)
    return emitOpError() << "needs an integer value for " << getType()
                         << ", found " << getValue();
  APInt x = number.getValue();
  if (isBool ? !x.isIntN(1) : !x.isSignedIntN(width))
    return emitOpError() << "holds " << getValue() << ", outside the range of "
                         << getType();
  return success();
}

} // namespace dendrolith::dend
