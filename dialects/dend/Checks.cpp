// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dend/Checks.h"

#include <fmt/format.h>

using namespace mlir;

namespace dendrolith::dend {

std::optional<int64_t> countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent <= 0 || extent > kLargestCount)
      return std::nullopt;
    count *= extent; // both factors below 2^31
    if (count > kLargestCount)
      return std::nullopt;
  }
  return count;
}

std::string shapeText(ArrayRef<int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "),
                     shape.size() == 1 ? "," : "");
}

std::string insteadOf(StringRef word, ArrayRef<StringRef> known) {
  constexpr size_t kListed = 12; // more names than that would bury the error
  constexpr size_t kWord = 100;  // longer garbage is no typo
  const StringRef *best = nullptr;
  size_t least = (word.size() + 2) / 3 + 1;
  for (const StringRef &name : known) {
    size_t distance = word.size() > kWord ? least : word.edit_distance(name);
    if (distance < least && distance < name.size()) {
      best = &name;
      least = distance;
    }
  }
  if (best)
    return fmt::format(", did you mean '{}'?", best->str());
  if (known.empty() || known.size() > kListed)
    return known.empty() ? "; there is none" : "";
  return fmt::format("; there is '{}'", fmt::join(known, "', '"));
}

LogicalResult checkBodyValues(Operation *op) {
  auto check = [&](StringRef what, TypeRange types) -> LogicalResult {
    for (auto [i, type] : llvm::enumerate(types))
      if (!isBodyType(type))
        return op->emitOpError()
               << what << " #" << i << " has type " << type
               << ", expected a float, complex, fixed-point, i1 or i32 value "
                  "or a static tensor of them";
    return success();
  };
  return failure(failed(check("operand", op->getOperandTypes())) ||
                 failed(check("result", op->getResultTypes())));
}

Numbers numbersOf(Type type) {
  Type element = elementType(type);
  if (llvm::isa<FloatType>(element))
    return kReal;
  if (llvm::isa<FxType>(element))
    return kFixed;
  if (llvm::isa<ComplexType>(element))
    return kComplex;
  return element.isInteger(1) ? kBool : kInt;
}

static std::string namesOf(unsigned allowed) {
  static constexpr std::pair<Numbers, const char *> names[] = {
      {kReal, "real"},
      {kFixed, "fixed-point"},
      {kInt, "i32"},
      {kBool, "i1"},
      {kComplex, "complex"}};
  std::string text;
  for (auto [flag, name] : names)
    if (allowed & flag)
      text += (text.empty() ? "" : " or ") + std::string(name);
  return text;
}

LogicalResult checkNumbers(Operation *op, TypeRange types, unsigned allowed) {
  Type first = elementType(types.front());
  if (!(numbersOf(first) & allowed))
    return op->emitOpError()
           << "takes " << namesOf(allowed) << " values, found " << first;
  for (Type type : types)
    if (elementType(type) != first)
      return op->emitOpError() << "needs values of one element type, found "
                               << first << " and " << elementType(type);
  return success();
}

LogicalResult checkShape(Operation *op, StringRef what, Type type,
                         ArrayRef<int64_t> shape) {
  bool scalar = !llvm::isa<RankedTensorType>(type);
  if (scalar == shape.empty() && shapeOf(type) == shape)
    return success();
  return op->emitOpError() << what << " has type " << type
                           << ", expected shape " << shapeText(shape);
}

LogicalResult checkElement(Operation *op, StringRef what, Type type,
                           Type element) {
  if (elementType(type) == element)
    return success();
  return op->emitOpError() << what << " has type " << type
                           << ", expected element type " << element;
}

LogicalResult checkBroadcast(Operation *op, TypeRange operands, Type result) {
  ArrayRef<int64_t> shape;
  bool tensor = false;
  for (auto [i, type] : llvm::enumerate(operands)) {
    if (!llvm::isa<RankedTensorType>(type))
      continue;
    if (tensor && shapeOf(type) != shape)
      return op->emitOpError()
             << "operand #" << i << " has shape " << shapeText(shapeOf(type))
             << ", another has " << shapeText(shape)
             << "; only scalars are broadcast";
    shape = shapeOf(type);
    tensor = true;
  }
  return checkShape(op, "result", result, shape);
}

LogicalResult checkBroadcast(Operation *op) {
  return checkBroadcast(op, op->getOperandTypes(), op->getResult(0).getType());
}

LogicalResult checkSameNumbers(Operation *op, unsigned allowed) {
  SmallVector<Type> types(op->getOperandTypes());
  types.push_back(op->getResult(0).getType());
  return checkNumbers(op, types, allowed);
}

} // namespace dendrolith::dend
