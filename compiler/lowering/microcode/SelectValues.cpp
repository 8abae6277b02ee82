// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How scaling, literals, tables, products and the ladder are selected.

#include "compiler/lowering/microcode/Select.h"

#include "dialects/dend/Constants.h"

#include <cmath>

using namespace mlir;
using namespace dendrolith::micro;

namespace dendrolith {

/// A product that only a rescale reads is computed with it: the multiplier
/// shifts, rounds and narrows.
bool Selector::fusedRescale(dend::MulOp mul) {
  Value product = mul.getResult();
  return product.hasOneUse() &&
         isa<dend::RescaleOp>(*product.getUsers().begin());
}

LogicalResult Selector::select(dend::RescaleOp op) {
  int shift = exponent(op.getInput()) - exponent(op.getResult());
  auto mul = op.getInput().getDefiningOp<dend::MulOp>();
  bool fused = mul && fusedRescale(mul);
  uint8_t from = width(op.getInput().getType()),
          to = width(op.getResult().getType());
  // A wider type of the same unit holds the same integer.
  if (!fused && shift == 0 && to >= from) {
    alias(op.getResult(), op.getInput());
    return success();
  }
  if (shift < INT16_MIN || shift > INT16_MAX)
    return op.emitOpError() << "moves the point by " << shift << " bits";
  VirtualInstruction &i =
      fused ? elementwise(MicroOp::Mul, mul) : elementwise(MicroOp::Scale, op);
  i.code.shift = static_cast<int16_t>(shift);
  i.code.width = to;
  i.code.rounding = toMicro(op.getRounding());
  i.code.saturate = op.getOverflow() == dend::Overflow::Saturate;
  if (fused)
    alias(op.getResult(), mul.getResult());
  return success();
}

LogicalResult Selector::select(dend::LiteralOp op) {
  uint32_t count = elements(op.getResult());
  std::vector<int64_t> words;
  if (auto number = dyn_cast<IntegerAttr>(op.getValue())) {
    APInt bits = number.getValue();
    bool isBool = width(op.getType()) == 1 && !dend::fixedType(op.getType());
    words.assign(count,
                 isBool ? int64_t(bits.getBoolValue()) : bits.getSExtValue());
  } else {
    auto values = dend::readInts(cast<ElementsAttr>(op.getValue()));
    if (failed(values))
      return op.emitOpError() << "holds no readable integers";
    words = std::move(*values);
    bool isBool = dend::elementType(op.getType()).isInteger(1);
    for (int64_t &word : words)
      word = isBool ? word & 1 : word;
  }
  places[op.getResult()] = constant(words);
  return success();
}

// `low` and `step` are in real units: multiples of the input's unit.
LogicalResult Selector::select(dend::TableOp op) {
  VirtualInstruction &i = append(MicroOp::Table, op, op.getResult());
  int unit = exponent(op.getInput());
  i.code.m = elements(op.getKnots());
  i.code.imm = int64_t(std::ldexp(op.getLow().convertToDouble(), -unit));
  i.code.shift = static_cast<int16_t>(
      std::ilogb(std::ldexp(op.getStep().convertToDouble(), -unit)));
  read(i, 0, op.getInput(), false);
  read(i, 1, op.getKnots(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}

// The rungs are shift + scale * vth * k: vth is an odd integer times a power of
// two, which every double is.
LogicalResult Selector::select(dend::SsfOp op) {
  int power = 0;
  double vth = op.getVth().convertToDouble();
  int64_t mantissa = int64_t(std::ldexp(std::frexp(vth, &power), 53));
  power -= 53;
  for (; mantissa != 0 && mantissa % 2 == 0; ++power)
    mantissa /= 2;
  VirtualInstruction &i = elementwise(MicroOp::Ladder, op);
  i.code.m = static_cast<uint32_t>(op.getU().convertToDouble() / vth);
  i.code.imm = mantissa;
  i.code.shift = static_cast<int16_t>(power);
  return success();
}

/// The power of two that brings a product into the result's unit.
static int16_t productShift(int a, int b, int out) {
  return static_cast<int16_t>(a + b - out);
}

template <typename Op> LogicalResult Selector::selectProduct(Op op) {
  constexpr MicroOp code = std::is_same_v<Op, dend::DotOp> ? MicroOp::Dot
                           : std::is_same_v<Op, dend::MatVecOp>
                               ? MicroOp::MatVec
                               : MicroOp::VecMat;
  VirtualInstruction &i = append(code, op, op.getResult());
  // Terms of each sum: the length of the vector operand.
  i.code.m = elements(code == MicroOp::MatVec ? op.getRhs() : op.getLhs());
  i.code.shift = productShift(exponent(op.getLhs()), exponent(op.getRhs()),
                              exponent(op.getResult()));
  i.code.rounding = toMicro(op.getRounding());
  read(i, 0, op.getLhs(), false);
  read(i, 1, op.getRhs(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}
template LogicalResult Selector::selectProduct(dend::DotOp);
template LogicalResult Selector::selectProduct(dend::MatVecOp);
template LogicalResult Selector::selectProduct(dend::VecMatOp);

LogicalResult Selector::select(dend::OuterAddOp op) {
  VirtualInstruction &i = append(MicroOp::Outer, op, op.getResult());
  i.code.m = elements(op.getRhs());
  i.code.shift = productShift(exponent(op.getLhs()), exponent(op.getRhs()),
                              exponent(op.getResult()));
  i.code.rounding = toMicro(op.getRounding());
  read(i, 0, op.getLhs(), false);
  read(i, 1, op.getRhs(), false);
  read(i, 2, op.getAccumulator(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}

LogicalResult Selector::select(dend::ReduceOp op) {
  bool sum = op.getKind() == dend::Reduction::Sum;
  VirtualInstruction &i =
      append(sum ? MicroOp::Sum : MicroOp::Maximum, op, op.getResult());
  i.code.m = elements(op.getInput());
  read(i, 0, op.getInput(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}

} // namespace dendrolith
