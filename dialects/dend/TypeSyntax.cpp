// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the dialect, and what body values are made of.

#include "dialects/dend/TypeSyntax.h"
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

using ParsedOperand = OpAsmParser::UnresolvedOperand;

// A file is read by one thread from its beginning to its end.
static thread_local KnownValues *innermost = nullptr;

KnownValues::KnownValues() : outer(innermost) { innermost = this; }
KnownValues::~KnownValues() { innermost = outer; }
KnownValues *KnownValues::current() { return innermost; }

void KnownValues::add(StringRef name, unsigned number, Type type) {
  types[{name.ltrim('%').str(), number}] = type;
}

void KnownValues::addResults(OpAsmParser &parser, TypeRange results) {
  for (auto [i, type] : llvm::enumerate(results)) {
    auto [name, number] = parser.getResultName(unsigned(i));
    if (!name.empty())
      add(name, number, type);
  }
}

Type KnownValues::find(const ParsedOperand &operand) const {
  auto known = types.find({operand.name.ltrim('%').str(), operand.number});
  return known == types.end() ? Type() : known->second;
}

std::string KnownValues::insteadOf(StringRef name) const {
  SmallVector<std::string> names;
  for (const auto &[key, type] : types)
    if (!key.second) // further results of an op have its name
      names.push_back("%" + key.first);
  SmallVector<StringRef> known(names.begin(), names.end());
  return dend::insteadOf(name, known);
}

ParseResult findTypes(OpAsmParser &parser, ArrayRef<ParsedOperand> operands,
                      SmallVectorImpl<Type> &types) {
  KnownValues *known = KnownValues::current();
  for (const ParsedOperand &operand : operands) {
    Type type = known ? known->find(operand) : Type();
    if (!type)
      return parser.emitError(operand.location)
             << "needs the type of '" << operand.name << "'"
             << (known ? ", which is no value so far" +
                             known->insteadOf(operand.name)
                       : " here, outside of the syntax of dend.neuron");
    types.push_back(type);
  }
  return success();
}

ParseResult Signature::parse(OpAsmParser &parser, TypeRule rule) {
  SmallVector<Type> given, results;
  if (succeeded(parser.parseOptionalColon())) {
    FunctionType type;
    if (parser.parseType(type))
      return failure();
    llvm::append_range(given, type.getInputs());
    llvm::append_range(results, type.getResults());
  } else {
    if (findTypes(parser, operands, given) ||
        parser.parseOptionalArrowTypeList(results))
      return failure();
    if (results.empty() && !given.empty()) {
      // Operands of other types are the verifier's to refuse.
      if (!llvm::all_of(given, isBodyType))
        results.assign(resultTypes.size(), given[0]);
      else if (!rule(given, number, results))
        return parser.emitError(parser.getNameLoc())
               << "needs the type of its result, which does not follow from "
                  "its "
                  "operands: write '-> !dend.fx<24, 0>' or another at the end";
    }
  }
  if (given.size() != operands.size())
    return parser.emitError(parser.getNameLoc())
           << operands.size() << " operands present, but expected "
           << given.size();
  if (results.size() != resultTypes.size())
    return parser.emitError(parser.getNameLoc())
           << "has " << resultTypes.size() << " results, found "
           << results.size() << " types of them";
  for (size_t i = 0; i < given.size(); ++i)
    *operandTypes[i] = given[i];
  for (size_t i = 0; i < results.size(); ++i)
    *resultTypes[i] = results[i];
  if (KnownValues *known = KnownValues::current())
    known->addResults(parser, results);
  return success();
}

ParseResult parseKnownTypes(OpAsmParser &parser,
                            ArrayRef<ParsedOperand> operands,
                            SmallVectorImpl<Type> &types) {
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseTypeList(types);
  return findTypes(parser, operands, types);
}

void printKnownTypes(OpAsmPrinter &printer, Operation *, OperandRange,
                     TypeRange types) {
  printer << ": " << types;
}

ParseResult parseCarriedTypes(OpAsmParser &parser,
                              ArrayRef<ParsedOperand> operands,
                              SmallVectorImpl<Type> &types,
                              SmallVectorImpl<Type> &results) {
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseTypeList(types) || parser.parseRParen() ||
        parser.parseArrow() || parser.parseLParen() ||
        parser.parseTypeList(results) || parser.parseRParen())
      return failure();
  } else {
    if (findTypes(parser, operands, types) || parser.parseRParen())
      return failure();
    llvm::append_range(results, types);
  }
  if (KnownValues *known = KnownValues::current())
    known->addResults(parser, results);
  return success();
}

void printCarriedTypes(OpAsmPrinter &printer, Operation *, OperandRange,
                       TypeRange types, TypeRange results) {
  printer << ": " << types << ") -> (" << results << ')';
}

ParseResult parseLiteralType(OpAsmParser &parser, Attribute value, Type &type) {
  if (succeeded(parser.parseOptionalKeyword("as"))) {
    if (parser.parseType(type))
      return failure();
  } else {
    auto typed = llvm::dyn_cast<TypedAttr>(value);
    type = typed ? typed.getType() : Type();
    if (!type || !isBodyType(type))
      return parser.emitError(parser.getNameLoc())
             << "needs a type, which follows from real numbers alone, found "
             << value << "; write 1.0 for 1, or '1 as !dend.fx<24, 0>'";
  }
  if (KnownValues *known = KnownValues::current())
    known->addResults(parser, type);
  return success();
}

void printLiteralType(OpAsmPrinter &printer, Operation *, Attribute,
                      Type type) {
  printer << "as " << type;
}

} // namespace dendrolith::dend
