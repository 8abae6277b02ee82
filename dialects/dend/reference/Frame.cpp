// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Frame.h"

using namespace mlir;

namespace dendrolith::dend {

PopulationValue::PopulationValue(Type type) : size(elementCount(type)) {
  if (dend::isComplex(type)) {
    kind = ElementKind::Complex;
  } else if (dend::isReal(type)) {
    kind = ElementKind::Real;
  } else if (FxType fixed = fixedType(type)) {
    kind = ElementKind::Fixed;
    width = fixed.getWidth();
    exponent = fixed.getExponent();
  } else {
    width = elementType(type).getIntOrFloatBitWidth();
    kind = width == 1 ? ElementKind::Bool : ElementKind::Int;
  }
}

void PopulationValue::resize(int64_t neurons) {
  count = neurons;
  if (kind == ElementKind::Real)
    real.resize(count * size);
  else if (kind == ElementKind::Complex)
    real.resize(2 * count * size);
  else
    raw.resize(count * size);
}

void PopulationValue::clear(int64_t neurons) {
  resize(neurons);
  std::fill(real.begin(), real.end(), 0.0);
  std::fill(raw.begin(), raw.end(), 0);
}

void PopulationValue::assign(const PopulationValue &from, int64_t neurons) {
  resize(neurons);
  if (from.count == neurons) {
    real = from.real;
    raw = from.raw;
    return;
  }
  for (size_t i = 0; i < real.size(); ++i)
    real[i] = from.real[i % from.real.size()];
  for (size_t i = 0; i < raw.size(); ++i)
    raw[i] = from.raw[i % from.raw.size()];
}

void PopulationValue::assign(const Tensor &from) {
  resize(from.size() / size);
  real = from.real;
  raw = from.ints;
}

std::vector<Value> bodyValues(NeuronOp model) {
  Block &body = model.getBlock();
  std::vector<Value> all(body.args_begin(), body.args_end());
  body.walk([&](Operation *op) {
    all.insert(all.end(), op->result_begin(), op->result_end());
  });
  return all;
}

Frame::Frame(NeuronOp model, int64_t neurons) : count(neurons) {
  for (Value value : bodyValues(model)) {
    slots[value] = unsigned(values.size());
    values.emplace_back(value.getType());
  }
}

PopulationValue &Frame::result(Value value) {
  PopulationValue &out = (*this)[value];
  int64_t stored = 1;
  for (Value operand : value.getDefiningOp()->getOperands()) {
    stored = std::max(stored, (*this)[operand].count);
    if (stored == count) // no value has more
      break;
  }
  out.resize(stored);
  return out;
}

} // namespace dendrolith::dend
