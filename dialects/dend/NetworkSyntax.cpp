// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dend/NetworkSyntax.h"
#include "dialects/dend/Checks.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith::dend {

ParseResult parseSpike(OpAsmParser &parser, SpikeType &type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.parseType(type);
  std::optional<SpikeKind> kind = symbolizeSpikeKind(word);
  if (!kind)
    return parser.emitError(loc)
           << "has no kind of spike '" << word << "'"
           << insteadOf(word, {"binary", "unary", "int", "graded"});
  int64_t low = 0, high = *kind == SpikeKind::Binary ? 1 : 0;
  if (*kind == SpikeKind::Unary) {
    if (parser.parseLess() || parser.parseInteger(high) ||
        parser.parseGreater())
      return failure();
    low = high < 0 ? high : -high;
  } else if (*kind == SpikeKind::Int) {
    if (parser.parseLess() || parser.parseInteger(low) || parser.parseComma() ||
        parser.parseInteger(high) || parser.parseGreater())
      return failure();
  }
  type =
      parser.getChecked<SpikeType>(loc, parser.getContext(), *kind, low, high);
  return success(bool(type));
}

/// Adds the numbers in lists of lists, whose lengths are `shape`; false if they
/// differ.
static bool flatten(Attribute value, size_t depth, SmallVector<int64_t> &shape,
                    SmallVector<Attribute> &numbers) {
  auto list = llvm::dyn_cast<ArrayAttr>(value);
  if (!list) {
    numbers.push_back(value);
    return depth == shape.size();
  }
  // Numbers end the shape.
  if (depth == shape.size() && numbers.empty())
    shape.push_back(int64_t(list.size()));
  return depth < shape.size() && shape[depth] == int64_t(list.size()) &&
         llvm::all_of(
             list,
             [&](Attribute part) {
               return flatten(part, depth + 1, shape, numbers);
             });
}

/// The number as an attribute of type `element`; null if it has none there.
static Attribute numberOf(Attribute value, Type element) {
  auto real = llvm::dyn_cast<FloatAttr>(value);
  auto integer = llvm::dyn_cast<IntegerAttr>(value);
  if (llvm::isa<FloatType>(element) && (real || integer))
    return FloatAttr::get(element, real ? real.getValueAsDouble()
                                        : double(integer.getInt()));
  if (element.isSignlessInteger() && integer &&
      integer.getType().isSignlessInteger(64) &&
      integer.getValue().isSignedIntN(element.getIntOrFloatBitWidth()))
    return IntegerAttr::get(element, integer.getInt());
  return {};
}

ParseResult parseConstantValue(OpAsmParser &parser, TypeAttr &type,
                               ElementsAttr &value) {
  Type given;
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseType(given))
      return failure();
    type = TypeAttr::get(given);
    if (failed(parser.parseOptionalEqual()))
      return success();
  } else if (parser.parseEqual()) {
    return failure();
  }
  SMLoc loc = parser.getCurrentLocation();
  Attribute attr;
  if (parser.parseAttribute(attr))
    return failure();
  if ((value = llvm::dyn_cast<ElementsAttr>(attr))) {
    if (!type)
      type = TypeAttr::get(value.getShapedType());
    return success();
  }
  auto tensor = llvm::dyn_cast_or_null<RankedTensorType>(given);
  if (given && (!tensor || !tensor.hasStaticShape()))
    return parser.emitError(loc)
           << "holds numbers, which need a tensor of static shape";
  SmallVector<int64_t> shape;
  SmallVector<Attribute> numbers;
  if (!flatten(attr, 0, shape, numbers))
    return parser.emitError(loc)
           << "holds lists of different lengths, which are no array";
  Type element =
      tensor ? tensor.getElementType() : Type(parser.getBuilder().getF64Type());
  if (llvm::isa<FxType>(element)) // raw integers
    element = parser.getBuilder().getI64Type();
  for (Attribute &number : numbers) {
    Attribute converted = numberOf(number, element);
    if (!converted)
      return parser.emitError(loc) << "expected elements or numbers of "
                                   << element << ", found " << number;
    number = converted;
  }
  // One number fills any shape.
  bool fills = shape.empty() && tensor;
  if (!fills && tensor && ArrayRef<int64_t>(shape) != tensor.getShape())
    return parser.emitError(loc)
           << "holds an array of shape " << shapeText(shape) << ", expected "
           << shapeText(tensor.getShape());
  auto own = RankedTensorType::get(
      fills ? tensor.getShape() : ArrayRef<int64_t>(shape), element);
  value = DenseElementsAttr::get(own, numbers);
  if (!type)
    type = TypeAttr::get(own);
  return success();
}

void printConstantValue(OpAsmPrinter &printer, Operation *, TypeAttr type,
                        ElementsAttr value) {
  printer << ": " << type;
  if (value)
    printer << " = " << value;
}

ParseResult parseInputType(OpAsmParser &parser, FlatSymbolRefAttr &clock,
                           TypeAttr &type, TypeAttr &spike) {
  SmallVector<int64_t> shape;
  SMLoc loc = parser.getCurrentLocation();
  bool brief = succeeded(parser.parseOptionalLSquare());
  auto parseExtent = [&]() {
    return parser.parseInteger(shape.emplace_back());
  };
  if (brief &&
      (parser.parseCommaSeparatedList(parseExtent) || parser.parseRSquare()))
    return failure();
  if (!llvm::all_of(shape, [](int64_t extent) { return extent > 0; }))
    return parser.emitError(loc) << "has the shape " << shapeText(shape)
                                 << ", expected extents above 0";
  if (parser.parseKeyword("on") || parser.parseAttribute(clock))
    return failure();
  Type tensor = RankedTensorType::get(shape, parser.getBuilder().getF64Type());
  if (!brief && parser.parseColonType(tensor))
    return failure();
  type = TypeAttr::get(tensor);
  SpikeType kind = gradedSpike(parser.getContext());
  if (succeeded(parser.parseOptionalKeyword("as")) && parseSpike(parser, kind))
    return failure();
  spike = TypeAttr::get(kind);
  return success();
}

void printInputType(OpAsmPrinter &printer, Operation *, FlatSymbolRefAttr clock,
                    TypeAttr type, TypeAttr spike) {
  printer << "on " << clock << " : " << type << " as " << spike;
}

ParseResult parseSynapseKind(OpAsmParser &parser, Attribute &kind) {
  OptionalParseResult given = parser.parseOptionalAttribute(kind);
  if (given.has_value())
    return *given;
  kind = DenseAttr::get(parser.getContext());
  return success();
}

void printSynapseKind(OpAsmPrinter &printer, Operation *, Attribute kind) {
  printer << kind;
}

} // namespace dendrolith::dend
