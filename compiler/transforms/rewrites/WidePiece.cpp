// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/WidePiece.h"

#include "compiler/transforms/network/BodyBuilder.h"

#include "fmt/format.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace dendrolith {

std::string travelName(const WideBody &body, Value value) {
  dend::NeuronOp model = body.model;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    for (auto [i, port] : llvm::enumerate(model.getPortArgs()))
      if (port == value)
        return model.getPort(unsigned(i)).getName().str();
    for (auto [i, state] : llvm::enumerate(model.getStateArgs()))
      if (state == value)
        return model.getState(unsigned(i)).getName().str() + ".old";
  }
  // The number of the op in the body, which is the same in every division.
  unsigned number = 0;
  for (Operation &op : model.getBlock()) {
    if (&op == value.getDefiningOp())
      break;
    ++number;
  }
  unsigned result = cast<OpResult>(value).getResultNumber();
  return result ? fmt::format("value{}.{}", number, result)
                : fmt::format("value{}", number);
}

WidePiece::WidePiece(const WideBody &body, StringRef name, int64_t low,
                     int64_t high, unsigned messageBits)
    : body(body), from(body.model), low(low), high(high),
      messageBits(messageBits), builder(from) {
  ArrayAttr none = builder.getArrayAttr({});
  model = dend::NeuronOp::create(builder, from.getLoc(),
                                 builder.getStringAttr(name), none, none, none,
                                 none);
  Block &block = model.getBody().emplaceBlock();
  points[&from.getBlock()] = OpBuilder::InsertPoint(&block, block.end());
}

void WidePiece::enter(Block *block) {
  builder.restoreInsertionPoint(points.find(block)->second);
}

Type WidePiece::typeOf(Value value, int axis) const {
  if (axis < 0)
    return value.getType();
  SmallVector<int64_t> shape(dend::shapeOf(value.getType()));
  shape[size_t(axis)] = high - low;
  return RankedTensorType::get(shape, dend::elementType(value.getType()));
}

std::vector<int64_t> WidePiece::positions(Value value, int axis) const {
  return positionsOf(dend::shapeOf(value.getType()), axis, low, high);
}

Value WidePiece::addArgument(unsigned position, Type type) {
  return model.getBlock().insertArgument(position, type, from.getLoc());
}

Value WidePiece::addPort(const std::string &name, Type type,
                         FlatSymbolRefAttr hold) {
  std::string free = name;
  for (int i = 1; !portNames.insert(free).second; ++i)
    free = fmt::format("{}.{}", name, i);
  portAttrs.push_back(dend::PortAttr::get(builder.getContext(),
                                          builder.getStringAttr(free), hold));
  inputs.push_back({{}, free, {}});
  return addArgument(unsigned(portAttrs.size()) - 1, type);
}

Value WidePiece::argument(BlockArgument argument, int axis) {
  Type type = typeOf(argument, axis);
  for (auto [i, port] : llvm::enumerate(from.getPortArgs()))
    if (port == argument) {
      dend::PortAttr attr = from.getPort(unsigned(i));
      Value mine = addPort(attr.getName().str(), type, attr.getHold());
      inputs.back().value = argument;
      inputs.back().positions = positions(argument, axis);
      return mine;
    }
  for (auto [i, param] : llvm::enumerate(from.getParamArgs()))
    if (param == argument) {
      dend::ParamAttr attr = from.getParam(unsigned(i));
      std::string name = attr.getName().str();
      if (axis >= 0)
        name += fmt::format(".axis{}", axis);
      params.push_back({unsigned(i), name, axis});
      paramAttrs.push_back(dend::ParamAttr::get(builder.getContext(),
                                                builder.getStringAttr(name),
                                                attr.getPerNeuron()));
      return addArgument(unsigned(portAttrs.size() + paramAttrs.size()) - 1,
                         type);
    }
  unsigned s = argument.getArgNumber() -
               unsigned(from.getPorts().size() + from.getParams().size());
  if (axis >= 0 && body.classOf(argument).kind == ValueClass::Shared)
    return sliceOf(get(argument, kWhole), type);
  held.push_back(s);
  stateAttrs.push_back(from.getState(s));
  return addArgument(
      unsigned(portAttrs.size() + paramAttrs.size() + stateAttrs.size()) - 1,
      type);
}

/// The part of a whole vector, where only the whole can be computed.
Value WidePiece::sliceOf(Value vector, Type type) {
  return dend::SliceOp::create(builder, from.getLoc(), type, vector,
                               builder.getI64IntegerAttr(low),
                               builder.getI64IntegerAttr(high - low));
}

/// What another piece sends.
Value WidePiece::receive(Value value, int axis) {
  enter(&from.getBlock());
  Type type = typeOf(value, axis);
  Type element = dend::elementType(type);
  bool isBool = element.isInteger(1);
  Type narrow =
      isBool ? Type(dend::FxType::get(builder.getContext(), 2, 0)) : element;
  Value port =
      addPort(travelName(body, value), dend::withElementType(type, narrow), {});
  inputs.back().value = value;
  inputs.back().positions = positions(value, axis);
  if (!isBool)
    return port;
  Value zero = dend::LiteralOp::create(builder, from.getLoc(), narrow,
                                       builder.getI64IntegerAttr(0));
  return dend::CmpOp::create(builder, from.getLoc(), type, dend::Predicate::NE,
                             port, zero);
}

Value WidePiece::get(Value value, int axis) {
  auto known = made.find({value, axis});
  if (known != made.end())
    return known->second;
  Value mine = make(value, axis);
  made[{value, axis}] = mine;
  return mine;
}

Value WidePiece::make(Value value, int axis) {
  const ValueClass &its = body.classOf(value);
  bool outside = value.getParentBlock() == &from.getBlock();
  if (its.kind == ValueClass::Shared && outside) {
    shared.insert(value);
    if (fromFront && fromFront->contains(value))
      return receive(value, axis);
  }
  bool remote = its.kind == ValueClass::Row || its.kind == ValueClass::Sliced ||
                its.partial;
  if (combines && remote && outside)
    return receive(value, kWhole);
  if (auto its = dyn_cast<BlockArgument>(value)) {
    enter(&from.getBlock());
    return argument(its, axis);
  }
  Operation *op = value.getDefiningOp();
  if (auto when = dyn_cast<dend::WhenOp>(op)) {
    Value mine = made.lookup({value, kWhole});
    if (!mine) {
      copyWhen(when);
      mine = made.lookup({value, axis});
      if (mine)
        return mine;
      mine = made.lookup({value, kWhole});
    }
    enter(op->getBlock());
    return sliceOf(mine, typeOf(value, axis));
  }
  SmallVector<int> axes(op->getNumOperands(), kWhole);
  if (axis >= 0 && !isa<dend::LiteralOp>(op)) {
    auto found = operandAxes(op, axis);
    if (!found) {
      Value whole = get(value, kWhole);
      enter(op->getBlock());
      return sliceOf(whole, typeOf(value, axis));
    }
    axes = *found;
  }
  return copy(op, value, axis, axes);
}

Value WidePiece::copy(Operation *op, Value value, int axis,
                      ArrayRef<int> axes) {
  // In the order of the wide body, which ends the life of one large value
  // before it begins that of another.
  auto order = llvm::to_vector(llvm::seq(op->getNumOperands()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    Operation *first = op->getOperand(a).getDefiningOp(),
              *second = op->getOperand(b).getDefiningOp();
    // What stands outside the block, or is an argument, comes first.
    auto outside = [&](Operation *its) {
      return !its || its->getBlock() != op->getBlock();
    };
    if (outside(first) || outside(second))
      return outside(first) && !outside(second);
    return first->isBeforeInBlock(second);
  });
  SmallVector<Value> operands(op->getNumOperands());
  for (unsigned i : order)
    operands[i] = get(op->getOperand(i), axes[i]);
  enter(op->getBlock());
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  unsigned number = cast<OpResult>(value).getResultNumber();
  clone->getResult(number).setType(typeOf(value, axis));
  if (auto literal = dyn_cast<dend::LiteralOp>(clone);
      literal && axis >= 0 && isa<ElementsAttr>(literal.getValue())) {
    // A literal is dense however long it is, so no resource will do.
    auto all = cast<DenseElementsAttr>(literal.getValue());
    auto elements = all.getValues<Attribute>();
    SmallVector<Attribute> some;
    for (int64_t position : positions(value, axis))
      some.push_back(elements[uint64_t(position)]);
    literal.setValueAttr(DenseElementsAttr::get(
        RankedTensorType::get(dend::shapeOf(literal.getType()),
                              all.getElementType()),
        some));
  }
  return clone->getResult(number);
}

void WidePiece::copyWhen(dend::WhenOp when) {
  Block &inside = when.getBody().front();
  Operation *give = inside.getTerminator();
  Value condition = get(when.getCondition(), kWhole);
  SmallVector<unsigned> kept;
  SmallVector<Value> carried;
  SmallVector<Type> types;
  SmallVector<int> axes;
  for (auto [i, result] : llvm::enumerate(when.getResults())) {
    if (result.use_empty())
      continue;
    const ValueClass &its = body.classOf(result);
    axes.push_back(!combines && its.kind == ValueClass::Sliced ? its.axis
                                                               : kWhole);
    kept.push_back(unsigned(i));
    carried.push_back(get(when.getCarried()[i], axes.back()));
    types.push_back(typeOf(result, axes.back()));
  }
  enter(when->getBlock());
  auto mine =
      dend::WhenOp::create(builder, when.getLoc(), types, condition, carried);
  Block &block = mine.getBody().emplaceBlock();
  // What the region reads from outside is copied in front of it.
  OpBuilder::InsertPoint behind = points[when->getBlock()];
  points[when->getBlock()] =
      OpBuilder::InsertPoint(mine->getBlock(), Block::iterator(mine));
  points[&inside] = OpBuilder::InsertPoint(&block, block.end());
  SmallVector<Value> given;
  for (auto [i, axis] : llvm::zip_equal(kept, axes))
    given.push_back(get(give->getOperand(i), axis));
  builder.setInsertionPointToEnd(&block);
  dend::GiveOp::create(builder, give->getLoc(), given);
  points[when->getBlock()] = behind;
  for (auto [n, i] : llvm::enumerate(kept))
    made[{when.getResult(i), axes[n]}] = mine.getResult(unsigned(n));
}

/// What a part has of a value that leaves it.
Value WidePiece::own(Value value) {
  const ValueClass &its = body.classOf(value);
  if (its.kind == ValueClass::Sliced)
    return get(value, its.axis);
  if (!its.partial)
    return get(value, kWhole);
  Operation *op = value.getDefiningOp();
  const ValueClass *sliced = nullptr;
  for (Value operand : op->getOperands())
    if (body.classOf(operand).kind == ValueClass::Sliced)
      sliced = &body.classOf(operand);
  return copy(op, value, kWhole, *summedAxes(op, sliced->axis));
}

void WidePiece::emit(const std::string &name, dend::SpikeType type,
                     Value value) {
  outputAttrs.push_back(
      dend::OutputAttr::get(builder.getContext(), builder.getStringAttr(name),
                            type, dend::elementCount(value.getType())));
  emitted.push_back(value);
}

void WidePiece::send(Value value) {
  Value mine = own(value);
  enter(&from.getBlock());
  const ValueClass &its = body.classOf(value);
  PieceOutput output{
      value,
      {},
      positions(value, its.kind == ValueClass::Sliced ? its.axis : kWhole)};
  std::string name = travelName(body, value);
  BodyBuilder make(model.getBlock(), from.getLoc());
  if (dend::elementType(mine.getType()).isInteger(1)) {
    emit(name, dend::binarySpike(builder.getContext()), mine);
    output.messages.push_back({name, 0});
  } else {
    int64_t width = dend::fixedType(mine.getType()).getWidth(), shift = 0;
    int64_t bits = std::max<int64_t>(2, messageBits) - 1;
    for (; width > int64_t(messageBits); shift += bits, width -= bits) {
      Value rest = make.shift(mine, make.literal(make.i32(), -bits),
                              dend::Rounding::Floor);
      Value above = make.shift(rest, make.literal(make.i32(), bits),
                               dend::Rounding::Floor);
      std::string part = fmt::format("{}.bit{}", name, shift);
      emit(part,
           dend::intSpike(builder.getContext(), 0, (int64_t(1) << bits) - 1),
           make.sub(mine, above));
      output.messages.push_back({part, shift});
      mine = rest;
    }
    if (shift)
      name += fmt::format(".bit{}", shift);
    int64_t half = int64_t(1) << (width - 1);
    emit(name, dend::intSpike(builder.getContext(), -half, half - 1), mine);
    output.messages.push_back({name, shift});
  }
  outputs.push_back(std::move(output));
}

void WidePiece::hold(unsigned state) {
  get(from.getStateArgs()[state], body.states[state].kind == ValueClass::Sliced
                                      ? body.states[state].axis
                                      : kWhole);
}

void WidePiece::emitOutputs() {
  auto yield = cast<dend::YieldOp>(from.getBlock().getTerminator());
  for (auto [o, value] : llvm::enumerate(yield.getEmitted())) {
    outputAttrs.push_back(from.getOutput(unsigned(o)));
    emitted.push_back(get(value, kWhole));
  }
}

dend::NeuronOp WidePiece::finish() {
  auto yield = cast<dend::YieldOp>(from.getBlock().getTerminator());
  SmallVector<Value> next;
  for (unsigned i = 0; i < held.size(); ++i) { // grows
    const ValueClass &its = body.states[held[i]];
    next.push_back(get(yield.getStates()[held[i]],
                       its.kind == ValueClass::Sliced ? its.axis : kWhole));
  }
  enter(&from.getBlock());
  model.setPortsAttr(builder.getArrayAttr(portAttrs));
  model.setParamsAttr(builder.getArrayAttr(paramAttrs));
  model.setStatesAttr(builder.getArrayAttr(stateAttrs));
  model.setOutputsAttr(builder.getArrayAttr(outputAttrs));
  dend::YieldOp::create(builder, from.getLoc(), next, emitted);
  return model;
}

} // namespace dendrolith
