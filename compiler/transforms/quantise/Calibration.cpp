// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/Calibration.h"

using namespace mlir;

namespace dendrolith {
namespace {

DenseF64ArrayAttr attrOf(MLIRContext *context, SeenRange range) {
  return DenseF64ArrayAttr::get(context, {range.low, range.high});
}

/// An empty array is no range.
std::optional<SeenRange> rangeOf(DenseF64ArrayAttr range) {
  if (!range || range.empty())
    return std::nullopt;
  return SeenRange{range[0], range[1]};
}

auto bodyCalibration(Operation *op) {
  return op->getContext()
      ->getLoadedDialect<dend::DendDialect>()
      ->getCalibrationAttrHelper();
}

} // namespace

void setCalibration(dend::PopulationOp population, StringRef name,
                    SeenRange range) {
  NamedAttrList ranges(population.getCalibrationAttr());
  ranges.set(name, attrOf(population.getContext(), range));
  population.setCalibrationAttr(ranges.getDictionary(population.getContext()));
}

void setCalibration(dend::InputOp input, SeenRange range, bool integers) {
  input.setCalibrationAttr(attrOf(input.getContext(), range));
  input.setIntegers(integers);
}

void setCalibration(OpResult value, SeenRange range) {
  Operation *op = value.getOwner();
  SmallVector<Attribute> ranges(op->getNumResults(),
                                DenseF64ArrayAttr::get(op->getContext(), {}));
  if (ArrayAttr old = bodyCalibration(op).getAttr(op))
    ranges.assign(old.begin(), old.end());
  ranges[value.getResultNumber()] = attrOf(op->getContext(), range);
  bodyCalibration(op).setAttr(op, ArrayAttr::get(op->getContext(), ranges));
}

void keepDecisive(dend::PopulationOp population,
                  ArrayRef<std::pair<StringRef, double>> magnitudes) {
  clearCalibration(population);
  for (auto [state, most] : magnitudes)
    setCalibration(population, state, {-most, most});
}

std::optional<SeenRange> getCalibration(dend::PopulationOp population,
                                        StringRef name) {
  DictionaryAttr ranges = population.getCalibrationAttr();
  return rangeOf(ranges ? ranges.getAs<DenseF64ArrayAttr>(name)
                        : DenseF64ArrayAttr());
}

std::optional<SeenRange> getCalibration(dend::InputOp input) {
  return rangeOf(input.getCalibrationAttr());
}

std::optional<SeenRange> getCalibration(OpResult value) {
  ArrayAttr ranges =
      bodyCalibration(value.getOwner()).getAttr(value.getOwner());
  return rangeOf(ranges
                     ? cast<DenseF64ArrayAttr>(ranges[value.getResultNumber()])
                     : DenseF64ArrayAttr());
}

void clearCalibration(Operation *op) {
  if (auto population = dyn_cast<dend::PopulationOp>(op)) {
    population.removeCalibrationAttr();
  } else if (auto input = dyn_cast<dend::InputOp>(op)) {
    input.removeCalibrationAttr();
    input.setIntegers(false);
  } else if (bodyCalibration(op).isAttrPresent(op)) {
    bodyCalibration(op).removeAttr(op);
  }
}

double seenMagnitude(dend::PopulationOp population, Value value) {
  std::optional<SeenRange> range;
  if (auto result = dyn_cast<OpResult>(value)) {
    range = getCalibration(result);
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

} // namespace dendrolith
