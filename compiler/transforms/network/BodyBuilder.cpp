// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/BodyBuilder.h"

#include "targets/loader/chip/Sections.h"
#include "targets/support/FixedNeuron.h"

using namespace mlir;

namespace dendrolith {

void setStates(dend::CubaOp op, const NumberFormats &formats) {
  op.setVmin(-formats.stateMax());
  op.setVmax(formats.stateMax());
  op.setCurrentBits(formats.stateBits);
  if (formats.stateBits != kCubaCurrentBits)
    op.setWrap(dend::WrapRange::OpenHigh);
}

Value BodyBuilder::literal(Type type, int64_t value) {
  Attribute attr;
  if (auto real = dyn_cast<FloatType>(type))
    attr = FloatAttr::get(real, double(value));
  else if (isa<dend::FxType>(type))
    attr = builder.getI64IntegerAttr(value);
  else
    attr = IntegerAttr::get(type, value);
  return dend::LiteralOp::create(builder, loc, type, attr);
}

Value BodyBuilder::real(Type type, double value) {
  return dend::LiteralOp::create(builder, loc, type,
                                 FloatAttr::get(type, value));
}

Value BodyBuilder::vector(dend::FxType type,
                          const std::vector<int64_t> &values) {
  int64_t size = int64_t(values.size());
  auto attr = DenseIntElementsAttr::get(
      RankedTensorType::get({size}, builder.getI64Type()), values);
  return dend::LiteralOp::create(builder, loc,
                                 RankedTensorType::get({size}, type), attr);
}

Value BodyBuilder::mul(Value a, Value b) {
  dend::FxType x = dend::fixedType(a.getType()),
               y = dend::fixedType(b.getType());
  Type element =
      x ? fx(x.getWidth() + y.getWidth(), x.getExponent() + y.getExponent())
        : dend::elementType(a.getType());
  return dend::MulOp::create(builder, loc, shaped(element, {a, b}), a, b);
}

Value BodyBuilder::rescale(Value x, dend::FxType type, dend::Rounding rounding,
                           dend::Overflow overflow) {
  if (dend::fixedType(x.getType()) == type)
    return x;
  return dend::RescaleOp::create(builder, loc, shaped(type, {x}), x, rounding,
                                 overflow);
}

Value BodyBuilder::table(Value x, Value knots, double low, double step) {
  return dend::TableOp::create(
      builder, loc, shaped(dend::elementType(knots.getType()), {x}), x, knots,
      builder.getF64FloatAttr(low), builder.getF64FloatAttr(step));
}

Value BodyBuilder::element(Value x, int64_t index) {
  ArrayRef<int64_t> shape = dend::shapeOf(x.getType()).drop_front();
  Type element = dend::elementType(x.getType());
  Type type = shape.empty() ? element : RankedTensorType::get(shape, element);
  return dend::ElementOp::create(builder, loc, type, x,
                                 builder.getI64IntegerAttr(index));
}

} // namespace dendrolith
