// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of the dialect, and what body values are made of.
#include "dialects/dend/Checks.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace dendrolith::dend {

Type elementType(Type type) {
  if (auto tensor = llvm::dyn_cast_or_null<RankedTensorType>(type))
    return tensor.getElementType();
  return type;
}

int64_t elementCount(Type type) {
  auto tensor = llvm::dyn_cast_or_null<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() ? tensor.getNumElements() : 1;
}

ArrayRef<int64_t> shapeOf(Type type) {
  if (auto tensor = llvm::dyn_cast_or_null<RankedTensorType>(type))
    return tensor.getShape();
  return {};
}

Type withElementType(Type type, Type element) {
  if (auto tensor = llvm::dyn_cast_or_null<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), element);
  return element;
}

Type broadcastType(Type element, TypeRange operands) {
  for (Type type : operands)
    if (llvm::isa<RankedTensorType>(type))
      return withElementType(type, element);
  return element;
}

bool isReal(Type type) {
  return llvm::isa_and_nonnull<FloatType>(elementType(type));
}

bool isComplex(Type type) {
  return llvm::isa_and_nonnull<ComplexType>(elementType(type));
}

FxType fixedType(Type type) {
  return llvm::dyn_cast_or_null<FxType>(elementType(type));
}

bool isBodyType(Type type) {
  if (auto tensor = llvm::dyn_cast_or_null<RankedTensorType>(type))
    if (tensor.getRank() == 0 || !countOf(tensor.getShape()) ||
        tensor.getEncoding())
      return false;
  Type element = elementType(type);
  if (!element)
    return false;
  if (auto complex = llvm::dyn_cast<ComplexType>(element))
    return llvm::isa<FloatType>(complex.getElementType());
  return llvm::isa<FloatType, FxType>(element) || element.isInteger(1) ||
         element.isSignlessInteger(32);
}

LogicalResult FxType::verify(function_ref<InFlightDiagnostic()> emitError,
                             unsigned width, int exponent) {
  if (width < 1 || width > 64)
    return emitError() << "fixed-point width must be 1 to 64 bits, found "
                       << width;
  if (exponent < -1023 || exponent > 1023)
    return emitError() << "fixed-point exponent must be -1023 to 1023, found "
                       << exponent;
  return success();
}

SpikeType binarySpike(MLIRContext *context) {
  return SpikeType::get(context, SpikeKind::Binary, 0, 1);
}
SpikeType unarySpike(MLIRContext *context, int64_t count) {
  return SpikeType::get(context, SpikeKind::Unary, -count, count);
}
SpikeType intSpike(MLIRContext *context, int64_t low, int64_t high) {
  return SpikeType::get(context, SpikeKind::Int, low, high);
}
SpikeType gradedSpike(MLIRContext *context) {
  return SpikeType::get(context, SpikeKind::Graded, 0, 0);
}

LogicalResult SpikeType::verify(function_ref<InFlightDiagnostic()> emitError,
                                SpikeKind kind, int64_t low, int64_t high) {
  // Each meaning has one form, so that equal types compare equal.
  switch (kind) {
  case SpikeKind::Binary:
    if (low != 0 || high != 1)
      return emitError() << "a binary spike has range 0 to 1, found " << low
                         << " to " << high;
    return success();
  case SpikeKind::Graded:
    if (low != 0 || high != 0)
      return emitError() << "a graded spike has no range, found " << low
                         << " to " << high;
    return success();
  case SpikeKind::Unary:
    if (high < 1 || high > INT32_MAX || low != -high)
      return emitError() << "a unary spike needs a count of 1 to " << INT32_MAX
                         << ", found " << high;
    return success();
  case SpikeKind::Int:
    if (low > high)
      return emitError() << "an integer spike needs low <= high, found " << low
                         << " and " << high;
    if (low < INT32_MIN || high > INT32_MAX)
      return emitError() << "an integer spike needs a 32-bit range, found "
                         << low << " to " << high;
    return success();
  }
  return emitError() << "unknown spike kind";
}

Type SpikeType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  std::optional<SpikeKind> kind = symbolizeSpikeKind(word);
  if (!kind) {
    parser.emitError(loc) << "unknown spike kind '" << word
                          << "', expected binary, unary, int or graded";
    return {};
  }
  int64_t low = 0, high = *kind == SpikeKind::Binary ? 1 : 0;
  if (*kind == SpikeKind::Unary) {
    if (parser.parseComma() || parser.parseInteger(high))
      return {};
    low = high < 0 ? high : -high;
  } else if (*kind == SpikeKind::Int) {
    if (parser.parseComma() || parser.parseInteger(low) ||
        parser.parseComma() || parser.parseInteger(high))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SpikeType>(loc, parser.getContext(), *kind, low,
                                      high);
}

void SpikeType::print(AsmPrinter &printer) const {
  printer << "<" << stringifySpikeKind(getKind());
  if (getKind() == SpikeKind::Unary)
    printer << ", " << getHigh();
  else if (getKind() == SpikeKind::Int)
    printer << ", " << getLow() << ", " << getHigh();
  printer << ">";
}

bool isRange(Attribute attr) {
  auto range = llvm::dyn_cast<DenseF64ArrayAttr>(attr);
  return range && range.size() == 2;
}

bool isFormat(Attribute attr) {
  auto type = llvm::dyn_cast<TypeAttr>(attr);
  return type && llvm::isa<FxType>(type.getValue());
}

bool allValues(Attribute dictionary, bool (*holds)(Attribute)) {
  return llvm::all_of(
      llvm::cast<DictionaryAttr>(dictionary),
      [&](NamedAttribute entry) { return holds(entry.getValue()); });
}

} // namespace dendrolith::dend
