// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dend/TypeSyntax.h"
#include "dialects/dend/Checks.h"

using namespace mlir;

namespace dendrolith::dend {

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
