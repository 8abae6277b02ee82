// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dend/Checks.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/NetworkSyntax.h"
#include "dialects/dend/NumberAttrs.h"
#include "dialects/dend/TypeSyntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace dendrolith::dend {

/// The word of an enumeration, which an error names as texts have it.
template <typename Enum>
static ParseResult parseWord(AsmParser &parser, Enum &value) {
  std::string word, known;
  SMLoc loc = parser.getCurrentLocation();
  bool isThere = succeeded(parser.parseOptionalKeywordOrString(&word));
  if (std::optional<Enum> found = symbolizeEnum<Enum>(word); isThere && found) {
    value = *found;
    return success();
  }
  for (uint32_t i = 0; !stringifyEnum(Enum(i)).empty(); ++i)
    known += (i ? ", '" : "'") + stringifyEnum(Enum(i)).str() + "'";
  return parser.emitError(loc) << "expected one of " << known << ", found "
                               << (isThere ? "'" + word + "'" : "none of them");
}

template <typename Enum>
static void printWord(AsmPrinter &printer, Enum value) {
  printer << stringifyEnum(value);
}

} // namespace dendrolith::dend

// TableGen names parameters that it does not use.
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "dialects/dend/BodyOpInterface.cpp.inc"
#include "dialects/dend/DendDialect.cpp.inc"
#include "dialects/dend/DendEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/dend/DendTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dend/DendAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/dend/DendOps.cpp.inc"

namespace dendrolith::dend {

void DendDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/dend/DendTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dend/DendAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dend/DendOps.cpp.inc"
      >();
}

/// Where a word goes that is no operation but the kind of one: "dend.tanh" is
/// written "dend.math tanh".
static StringRef operationOf(StringRef word) {
  if (symbolizeFunction(word))
    return MathOp::getOperationName();
  if (symbolizePredicate(word))
    return CmpOp::getOperationName();
  if (symbolizeReduction(word))
    return ReduceOp::getOperationName();
  return "";
}

static ParseResult refuseUnknown(OpAsmParser &parser, OperationState &state) {
  StringRef word = state.name.stripDialect();
  if (StringRef op = operationOf(word); !op.empty())
    return parser.emitError(parser.getNameLoc())
           << "is unknown, expected '" << op << " " << word << "'";
  SmallVector<StringRef> names;
  for (RegisteredOperationName op :
       parser.getContext()->getRegisteredOperationsByDialect("dend"))
    names.push_back(op.getStringRef());
  return parser.emitError(parser.getNameLoc())
         << "is unknown" << insteadOf(state.name.getStringRef(), names);
}

std::optional<Dialect::ParseOpHook>
DendDialect::getParseOperationHook(StringRef name) const {
  if (std::optional<ParseOpHook> known = Dialect::getParseOperationHook(name))
    return known;
  return ParseOpHook(refuseUnknown);
}

LogicalResult DendDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute entry) {
  StringRef known = getCalibrationAttrHelper().getName();
  if ((entry.getName() == kWeightBits && llvm::isa<ProjectOp>(op)) ||
      (entry.getName() == kStateBits && llvm::isa<PopulationOp>(op)) ||
      (entry.getName() == kInputBits && llvm::isa<InputOp>(op))) {
    auto bits = llvm::dyn_cast<IntegerAttr>(entry.getValue());
    if (!bits || !bits.getType().isSignlessInteger(64) || bits.getInt() < 1 ||
        bits.getInt() > 64)
      return op->emitError("'") << entry.getName().getValue() << "' is "
                                << entry.getValue() << ", expected 1 to 64";
    return success();
  }
  if (llvm::isa<PopulationOp>(op) &&
      llvm::is_contained({kPortUnits, kStateUnits, kOutputUnits},
                         entry.getName().getValue())) {
    if (areUnits(entry.getValue()))
      return success();
    return op->emitError("'")
           << entry.getName().getValue() << "' is " << entry.getValue()
           << ", expected numbers of f64 above 0 by name";
  }
  if (auto clock = llvm::dyn_cast<ClockOp>(op);
      clock && entry.getName() == kQueue) {
    auto places = llvm::dyn_cast<IntegerAttr>(entry.getValue());
    if (!places || !places.getType().isSignlessInteger(64) ||
        places.getInt() < 1)
      return op->emitError("'")
             << kQueue << "' is " << entry.getValue() << ", expected 1 or more";
    if (clock.getDivides())
      return op->emitError("'") << kQueue << "' is of the root clock alone";
    return success();
  }
  if (entry.getName() != known)
    return op->emitError("has no attribute '")
           << entry.getName().getValue() << "' of dialect 'dend', which has '"
           << known << "', '" << kWeightBits << "' of projections, '"
           << kStateBits << "', '" << kPortUnits << "', '" << kStateUnits
           << "' and '" << kOutputUnits << "' of populations, '" << kInputBits
           << "' of inputs and '" << kQueue << "' of the root clock";
  auto ranges = llvm::dyn_cast<ArrayAttr>(entry.getValue());
  auto good = [](Attribute attr) {
    auto range = llvm::dyn_cast<DenseF64ArrayAttr>(attr);
    return range && (range.empty() || isRange(range));
  };
  if (!ranges || ranges.size() != op->getNumResults() ||
      !llvm::all_of(ranges, good))
    return op->emitError("'")
           << known << "' is " << entry.getValue()
           << ", expected for each of its " << op->getNumResults()
           << " results array<f64: low, high> or array<f64>";
  return success();
}

} // namespace dendrolith::dend
