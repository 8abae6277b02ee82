// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/Calibration.h"

using namespace mlir;

namespace neurite {
namespace {
constexpr llvm::StringLiteral kAttribute = "calibration";

void set(Operation *op, StringRef name, Attribute value) {
  auto old = op->getAttrOfType<DictionaryAttr>(kAttribute);
  NamedAttrList entries(old ? old : DictionaryAttr::get(op->getContext()));
  entries.set(name, value);
  op->setAttr(kAttribute, entries.getDictionary(op->getContext()));
}
} // namespace

void setCalibration(Operation *op, StringRef name, SeenRange range) {
  set(op, name,
      DenseF64ArrayAttr::get(op->getContext(), {range.low, range.high}));
}

void setIntegerCalibration(dend::InputOp input) {
  set(input, "integer", UnitAttr::get(input.getContext()));
}

std::optional<SeenRange> getCalibration(Operation *op, StringRef name) {
  auto all = op->getAttrOfType<DictionaryAttr>(kAttribute);
  auto range = all ? all.getAs<DenseF64ArrayAttr>(name) : DenseF64ArrayAttr();
  if (!range || range.size() != 2)
    return std::nullopt;
  return SeenRange{range[0], range[1]};
}

bool hasIntegerCalibration(dend::InputOp input) {
  auto all = input->getAttrOfType<DictionaryAttr>(kAttribute);
  return all && all.get("integer");
}

void clearCalibration(Operation *op) { op->removeAttr(kAttribute); }

double seenMagnitude(dend::PopulationOp population, Value value) {
  std::optional<SeenRange> range;
  if (auto result = dyn_cast<OpResult>(value)) {
    range = getCalibration(result.getOwner(),
                           std::to_string(result.getResultNumber()));
  } else {
    dend::NeuronOp model = dend::modelOf(population);
    for (auto [i, port] : llvm::enumerate(model.getPortArgs()))
      if (port == value)
        range =
            getCalibration(population, model.getPort(unsigned(i)).getName());
    for (auto [i, state] : llvm::enumerate(model.getStateArgs()))
      if (state == value)
        range =
            getCalibration(population, model.getState(unsigned(i)).getName());
  }
  return range ? range->magnitude() : 0.0;
}

} // namespace neurite
