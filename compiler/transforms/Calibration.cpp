// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/Calibration.h"

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

} // namespace neurite
