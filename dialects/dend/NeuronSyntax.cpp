// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The custom syntax of `dend.neuron`, and access to its named parts.
#include "dialects/dend/Checks.h"
#include "dialects/dend/NetworkSyntax.h"
#include "dialects/dend/TypeSyntax.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith::dend {

// The name of a part is its SSA name; a string after it takes over where the
// printed SSA name cannot be the name (clashes, unusual characters). Its type
// is f64 where none is given.
static ParseResult parseName(OpAsmParser &parser,
                             OpAsmParser::Argument &argument,
                             StringAttr &name) {
  argument.ssaName.location = parser.getCurrentLocation();
  if (parser.parseOperand(argument.ssaName, /*allowResultNumber=*/false))
    return failure();
  std::string text = argument.ssaName.name.drop_front().str();
  if (failed(parser.parseOptionalString(&text)))
    text = argument.ssaName.name.drop_front().str();
  name = parser.getBuilder().getStringAttr(text);
  argument.type = parser.getBuilder().getF64Type();
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseType(argument.type);
  return success();
}

static ParseResult parsePort(OpAsmParser &parser,
                             SmallVectorImpl<OpAsmParser::Argument> &arguments,
                             SmallVectorImpl<Attribute> &parts) {
  OpAsmParser::Argument &argument = arguments.emplace_back();
  StringAttr name;
  FlatSymbolRefAttr hold;
  if (parseName(parser, argument, name))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("hold")))
    if (parser.parseAttribute(hold))
      return failure();
  parts.push_back(PortAttr::get(parser.getContext(), name, hold));
  return success();
}

static ParseResult parseParam(OpAsmParser &parser,
                              SmallVectorImpl<OpAsmParser::Argument> &arguments,
                              SmallVectorImpl<Attribute> &parts) {
  OpAsmParser::Argument &argument = arguments.emplace_back();
  StringAttr name;
  if (parseName(parser, argument, name))
    return failure();
  bool perNeuron = succeeded(parser.parseOptionalKeyword("per_neuron"));
  parts.push_back(ParamAttr::get(parser.getContext(), name, perNeuron));
  return success();
}

static ParseResult parseState(OpAsmParser &parser,
                              SmallVectorImpl<OpAsmParser::Argument> &arguments,
                              SmallVectorImpl<Attribute> &parts) {
  OpAsmParser::Argument &argument = arguments.emplace_back();
  StringAttr name;
  Attribute reset = parser.getBuilder().getStringAttr("sample"), init;
  if (parseName(parser, argument, name))
    return failure();
  bool resets = succeeded(parser.parseOptionalKeyword("reset"));
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (!resets) {
    // as the sample
  } else if (succeeded(parser.parseOptionalKeyword(&word))) {
    if (word != "sample" && word != "never")
      return parser.emitError(loc)
             << "expected 'sample', 'never' or a clock after 'reset', found '"
             << word << "'";
    reset = parser.getBuilder().getStringAttr(word);
  } else {
    FlatSymbolRefAttr clock;
    if (parser.parseAttribute(clock))
      return failure();
    reset = clock;
  }
  loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalEqual()))
    return parser.emitError(loc)
           << "expected 'init' in front of the value that "
              "a state begins with, found '='";
  if (succeeded(parser.parseOptionalKeyword("init")))
    if (parser.parseAttribute(init))
      return failure();
  parts.push_back(StateAttr::get(parser.getContext(), name, reset, init));
  return success();
}

namespace {
/// An output as it is declared. What is left out follows from what is emitted.
struct Declared {
  StringAttr name;
  SMLoc loc;
  SpikeType type = {};
  std::optional<int64_t> elements = {};
};
} // namespace

static ParseResult parseOutput(OpAsmParser &parser,
                               SmallVectorImpl<Declared> &outputs) {
  std::string name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&name))
    return failure();
  Declared &output = outputs.emplace_back(
      Declared{parser.getBuilder().getStringAttr(name), loc});
  if (succeeded(parser.parseOptionalLSquare()))
    if (parser.parseInteger(output.elements.emplace()) || parser.parseRSquare())
      return failure();
  if (failed(parser.parseOptionalColon()))
    return success();
  output.elements = output.elements.value_or(1);
  return parseSpike(parser, output.type);
}

/// The declared outputs with what follows from the values that `body` emits.
static FailureOr<ArrayAttr>
typeOutputs(OpAsmParser &parser, ArrayRef<Declared> outputs, Region &body) {
  MLIRContext *context = parser.getContext();
  // Another terminator or number of values is the verifier's to refuse.
  YieldOp yield = body.empty() || body.front().empty()
                      ? YieldOp()
                      : llvm::dyn_cast<YieldOp>(body.front().back());
  SmallVector<Attribute> parts;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    SpikeType type = output.type ? output.type : binarySpike(context);
    int64_t elements = output.elements.value_or(1);
    if (!output.type && yield && i < yield.getEmitted().size()) {
      Type emitted = yield.getEmitted()[i].getType();
      elements = output.elements.value_or(elementCount(emitted));
      if (isReal(emitted))
        type = gradedSpike(context);
      else if (!elementType(emitted).isInteger(1))
        return parser.emitError(output.loc)
               << "needs the type of output " << output.name
               << ", which does not follow from " << emitted
               << ": write it, as in 's : int<-4, 4>'";
    }
    parts.push_back(OutputAttr::get(context, output.name, type, elements));
  }
  return ArrayAttr::get(context, parts);
}

ParseResult NeuronOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Declared> outputs;
  auto parseList =
      [&](StringRef keyword, StringRef attribute,
          function_ref<ParseResult(SmallVectorImpl<Attribute> &)> parseItem)
      -> ParseResult {
    SmallVector<Attribute> parts;
    if (succeeded(parser.parseOptionalKeyword(keyword)))
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                         [&] { return parseItem(parts); }))
        return failure();
    result.addAttribute(attribute, parser.getBuilder().getArrayAttr(parts));
    return success();
  };
  using Parts = SmallVectorImpl<Attribute>;
  if (parseList(
          "ports", "ports",
          [&](Parts &parts) { return parsePort(parser, arguments, parts); }) ||
      parseList(
          "params", "params",
          [&](Parts &parts) { return parseParam(parser, arguments, parts); }) ||
      parseList(
          "states", "states",
          [&](Parts &parts) { return parseState(parser, arguments, parts); }) ||
      parseList("outputs", "outputs",
                [&](Parts &) { return parseOutput(parser, outputs); }) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc)
           << "expected ports, params, states and outputs in this order, and "
              "the body, found '"
           << word << "'"
           << insteadOf(word, {"ports", "params", "states", "outputs"});
  KnownValues values;
  for (const OpAsmParser::Argument &argument : arguments)
    values.add(argument.ssaName.name, 0, argument.type);
  Region &body = *result.addRegion();
  if (parser.parseRegion(body, arguments))
    return failure();
  FailureOr<ArrayAttr> typed = typeOutputs(parser, outputs, body);
  if (failed(typed))
    return failure();
  result.attributes.set("outputs", *typed);
  return success();
}

static void printArgument(OpAsmPrinter &p, Region &region, unsigned index,
                          StringAttr name) {
  BlockArgument argument = region.getArgument(index);
  std::string ssaName;
  llvm::raw_string_ostream stream(ssaName);
  p.printOperand(argument, stream);
  p << ssaName;
  if (StringRef(ssaName).drop_front() != name.getValue())
    p << ' ' << name;
  p << " : " << argument.getType();
}

// Numbers of the default type print bare: `init 0.0`, not `init 0.0 : f64`.
static void printInitial(OpAsmPrinter &p, Attribute init) {
  auto typed = llvm::dyn_cast<TypedAttr>(init);
  if (typed && llvm::isa<FloatAttr, IntegerAttr>(init) &&
      (typed.getType().isF64() || typed.getType().isSignlessInteger(64)))
    p.printAttributeWithoutType(init);
  else
    p.printAttribute(init);
}

void NeuronOp::print(OpAsmPrinter &p) {
  p << ' ';
  p.printSymbolName(getSymName());
  Region &body = getBody();
  unsigned index = 0;
  auto printList = [&](StringRef keyword, ArrayAttr list,
                       function_ref<void(Attribute)> printItem) {
    if (list.empty())
      return;
    p << ' ' << keyword << '(';
    llvm::interleaveComma(list, p, printItem);
    p << ')';
  };
  printList("ports", getPorts(), [&](Attribute part) {
    auto port = llvm::cast<PortAttr>(part);
    printArgument(p, body, index++, port.getName());
    if (port.getHold())
      p << " hold " << port.getHold();
  });
  printList("params", getParams(), [&](Attribute part) {
    auto param = llvm::cast<ParamAttr>(part);
    printArgument(p, body, index++, param.getName());
    if (param.getPerNeuron())
      p << " per_neuron";
  });
  printList("states", getStates(), [&](Attribute part) {
    auto state = llvm::cast<StateAttr>(part);
    printArgument(p, body, index++, state.getName());
    p << " reset ";
    if (auto word = llvm::dyn_cast<StringAttr>(state.getReset()))
      p << word.getValue();
    else
      p << state.getReset();
    if (state.getInit()) {
      p << " init ";
      printInitial(p, state.getInit());
    }
  });
  printList("outputs", getOutputs(), [&](Attribute part) {
    auto output = llvm::cast<OutputAttr>(part);
    p.printKeywordOrString(output.getName());
    if (output.getElements() != 1)
      p << '[' << output.getElements() << ']';
    p << " : " << output.getType();
  });
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {SymbolTable::getSymbolAttrName(), "ports",
                                      "params", "states", "outputs"});
  p << ' ';
  p.printRegion(body, /*printEntryBlockArgs=*/false);
}

void NeuronOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  SmallVector<StringAttr> names;
  for (Attribute part : getPorts())
    if (auto port = llvm::dyn_cast<PortAttr>(part))
      names.push_back(port.getName());
  for (Attribute part : getParams())
    if (auto param = llvm::dyn_cast<ParamAttr>(part))
      names.push_back(param.getName());
  for (Attribute part : getStates())
    if (auto state = llvm::dyn_cast<StateAttr>(part))
      names.push_back(state.getName());
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    setName(argument, name);
}

ArrayRef<BlockArgument> NeuronOp::getPortArgs() {
  return getBody().getArguments().take_front(getPorts().size());
}
ArrayRef<BlockArgument> NeuronOp::getParamArgs() {
  return getBody().getArguments().slice(getPorts().size(), getParams().size());
}
ArrayRef<BlockArgument> NeuronOp::getStateArgs() {
  return getBody().getArguments().take_back(getStates().size());
}

PortAttr NeuronOp::getPort(unsigned i) {
  return llvm::cast<PortAttr>(getPorts()[i]);
}
ParamAttr NeuronOp::getParam(unsigned i) {
  return llvm::cast<ParamAttr>(getParams()[i]);
}
StateAttr NeuronOp::getState(unsigned i) {
  return llvm::cast<StateAttr>(getStates()[i]);
}
OutputAttr NeuronOp::getOutput(unsigned i) {
  return llvm::cast<OutputAttr>(getOutputs()[i]);
}

template <typename Part> static int find(ArrayAttr parts, StringRef name) {
  for (auto [i, part] : llvm::enumerate(parts.getAsRange<Part>()))
    if (part.getName() == name)
      return int(i);
  return -1;
}
int NeuronOp::findPort(StringRef name) {
  return find<PortAttr>(getPorts(), name);
}
int NeuronOp::findParam(StringRef name) {
  return find<ParamAttr>(getParams(), name);
}
int NeuronOp::findState(StringRef name) {
  return find<StateAttr>(getStates(), name);
}
int NeuronOp::findOutput(StringRef name) {
  return find<OutputAttr>(getOutputs(), name);
}

} // namespace dendrolith::dend
