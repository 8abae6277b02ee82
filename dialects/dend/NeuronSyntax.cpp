// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The custom syntax of `dend.neuron`, and access to its named parts.
#include "dialects/dend/Dend.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace neurite::dend {

// The name of a part is its SSA name; a string after it takes over where the
// printed SSA name cannot be the name (clashes, unusual characters).
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
  return success();
}

static ParseResult parsePort(OpAsmParser &parser,
                             SmallVectorImpl<OpAsmParser::Argument> &arguments,
                             SmallVectorImpl<Attribute> &parts) {
  OpAsmParser::Argument &argument = arguments.emplace_back();
  StringAttr name;
  FlatSymbolRefAttr hold;
  if (parseName(parser, argument, name) || parser.parseColonType(argument.type))
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
  if (parseName(parser, argument, name) || parser.parseColonType(argument.type))
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
  Attribute reset, init;
  if (parseName(parser, argument, name) ||
      parser.parseColonType(argument.type) || parser.parseKeyword("reset"))
    return failure();
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&word))) {
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
  if (succeeded(parser.parseOptionalKeyword("init")))
    if (parser.parseAttribute(init))
      return failure();
  parts.push_back(StateAttr::get(parser.getContext(), name, reset, init));
  return success();
}

static ParseResult parseOutput(OpAsmParser &parser,
                               SmallVectorImpl<Attribute> &parts) {
  std::string name;
  SpikeType type;
  int64_t elements = 1;
  if (parser.parseKeywordOrString(&name))
    return failure();
  if (succeeded(parser.parseOptionalLSquare()))
    if (parser.parseInteger(elements) || parser.parseRSquare())
      return failure();
  if (parser.parseColonType(type))
    return failure();
  parts.push_back(OutputAttr::get(parser.getContext(),
                                  parser.getBuilder().getStringAttr(name), type,
                                  elements));
  return success();
}

ParseResult NeuronOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments;
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
                [&](Parts &parts) { return parseOutput(parser, parts); }) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
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

} // namespace neurite::dend
