// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers to BodyOpInterface that do not follow from an op's traits, but for
// the interval rules (BodyIntervals.cpp).
#include "dialects/dend/Dend.h"

using namespace mlir;

namespace dendrolith::dend {

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
