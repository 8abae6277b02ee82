// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules by which types of results follow from types of operands.

#include "dialects/dend/BodyTraits.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/TypeSyntax.h"

using namespace mlir;

namespace dendrolith::dend {

using Results = SmallVectorImpl<Type>;

static bool give(Results &results, std::initializer_list<Type> types) {
  results.append(types);
  return true;
}

/// `element` in the shape of the first operand that is a tensor.
static bool broadcast(ArrayRef<Type> operands, Type element, Results &results) {
  return give(results, {broadcastType(element, operands)});
}

static Type truth(Type type) { return IntegerType::get(type.getContext(), 1); }

bool first(ArrayRef<Type> operands, int64_t, Results &results) {
  return give(results, {operands[0]});
}

bool likeFirst(ArrayRef<Type> operands, int64_t, Results &results) {
  return broadcast(operands, elementType(operands[0]), results);
}

bool likeSecond(ArrayRef<Type> operands, int64_t, Results &results) {
  return broadcast(operands, elementType(operands[1]), results);
}

bool realLikeFirst(ArrayRef<Type> operands, int64_t, Results &results) {
  return isReal(operands[0]) && give(results, {operands[0]});
}

bool reals(ArrayRef<Type> operands, int64_t, Results &results) {
  return broadcast(operands, Float64Type::get(operands[0].getContext()),
                   results);
}

bool truths(ArrayRef<Type> operands, int64_t, Results &results) {
  return broadcast(operands, truth(operands[0]), results);
}

bool counts(ArrayRef<Type> operands, int64_t, Results &results) {
  return broadcast(operands, IntegerType::get(operands[0].getContext(), 32),
                   results);
}

bool product(ArrayRef<Type> operands, int64_t, Results &results) {
  FxType lhs = fixedType(operands[0]), rhs = fixedType(operands[1]);
  if (!lhs || !rhs)
    return broadcast(operands, elementType(operands[0]), results);
  const unsigned width = lhs.getWidth() + rhs.getWidth();
  const int exponent = lhs.getExponent() + rhs.getExponent();
  return width <= 64 && std::abs(exponent) <= 1023 &&
         broadcast(operands, FxType::get(lhs.getContext(), width, exponent),
                   results);
}

bool contraction(ArrayRef<Type> operands, int64_t, Results &results) {
  if (!isReal(operands[0]))
    return false; // the format of a sum is to be chosen
  ArrayRef<int64_t> lhs = shapeOf(operands[0]), rhs = shapeOf(operands[1]);
  Type element = elementType(operands[0]);
  if (lhs.size() == 2)
    element = RankedTensorType::get(lhs.take_front(), element);
  else if (rhs.size() == 2)
    element = RankedTensorType::get(rhs.take_back(), element);
  return give(results, {element});
}

bool elementOfFirst(ArrayRef<Type> operands, int64_t, Results &results) {
  return give(results, {elementType(operands[0])});
}

bool elementAt(ArrayRef<Type> operands, int64_t, Results &results) {
  ArrayRef<int64_t> shape = shapeOf(operands[0]);
  Type element = elementType(operands[0]);
  if (shape.size() > 1)
    element = RankedTensorType::get(shape.drop_front(), element);
  return give(results, {element});
}

bool slice(ArrayRef<Type> operands, int64_t size, Results &results) {
  SmallVector<int64_t> shape(shapeOf(operands[0]));
  if (shape.empty() || size < 1)
    return give(results, {operands[0]}); // the verifier's to refuse
  shape[0] = size;
  return give(results,
              {RankedTensorType::get(shape, elementType(operands[0]))});
}

bool concat(ArrayRef<Type> operands, int64_t, Results &results) {
  SmallVector<int64_t> shape = {0};
  for (Type type : operands) {
    ArrayRef<int64_t> part = shapeOf(type);
    shape[0] += part.empty() ? 1 : part[0];
    if (part.size() > 1 && shape.size() == 1)
      llvm::append_range(shape, part.drop_front());
  }
  return give(results,
              {RankedTensorType::get(shape, elementType(operands[0]))});
}

bool fire(ArrayRef<Type> operands, int64_t, Results &results) {
  return truths(operands.take_front(2), 0, results) &&
         likeFirst(operands.take_front(2), 0, results);
}

bool branch(ArrayRef<Type> operands, int64_t, Results &results) {
  return give(results, {operands[0], operands[1]});
}

bool cuba(ArrayRef<Type> operands, int64_t, Results &results) {
  return give(results,
              {truth(operands[0]), operands[1], operands[2], operands[3]});
}

bool stated(ArrayRef<Type>, int64_t, Results &) { return false; }

// Answers to BodyOpInterface that do not follow from an op's traits, but for
// the interval rules (Interval.cpp).

// A product is zero already where one factor is.
bool MulOp::givesZero(ArrayRef<bool> isZero) { return isZero[0] || isZero[1]; }
// The condition says only which of the two it is.
bool SelectOp::givesZero(ArrayRef<bool> isZero) {
  return isZero[1] && isZero[2];
}

// The table of a function fits the range of its input; its result has another.
SmallVector<FormatGroup> MathOp::getFormatGroups() {
  return {FormatGroup{getInput()}};
}

// What is added to the accumulator is a product of two factors.
SmallVector<FormatGroup> OuterAddOp::getFormatGroups() {
  return {FormatGroup{getAccumulator(), getResult()}};
}

// Each result is either what was carried or what the region gives.
SmallVector<FormatGroup> WhenOp::getFormatGroups() {
  Operation *give = getBody().front().getTerminator();
  SmallVector<FormatGroup> groups;
  for (auto [carried, given, result] :
       llvm::zip_equal(getCarried(), give->getOperands(), getResults()))
    groups.push_back(FormatGroup{carried, given, result});
  return groups;
}

} // namespace dendrolith::dend
