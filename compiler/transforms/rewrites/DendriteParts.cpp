// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/DendriteParts.h"

#include "compiler/transforms/network/BoundModel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace dendrolith {

std::string sumName(unsigned i) { return "sum" + std::to_string(i); }
std::string decisionName(unsigned i) { return "decision" + std::to_string(i); }

namespace {

/// A model in the making: names and types, then a body of copies.
class ModelBuilder {
public:
  ModelBuilder(const DendriteParts &parts, int64_t count)
      : from(parts.model), count(count), builder(from) {}

  /// The type in a part: a vector has its compartments alone.
  Type typeIn(Type type) {
    if (dend::shapeOf(type).empty())
      return type;
    return RankedTensorType::get({count}, dend::elementType(type));
  }

  void port(StringRef name, Type type, FlatSymbolRefAttr hold = {}) {
    ports.push_back(
        dend::PortAttr::get(builder.getContext(), text(name), hold));
    portTypes.push_back(typeIn(type));
  }
  void state(dend::StateAttr attr, Type type) {
    states.push_back(attr);
    stateTypes.push_back(typeIn(type));
  }
  void output(dend::OutputAttr attr) { outputs.push_back(attr); }
  /// One raw number of a fixed-point type.
  void output(StringRef name, dend::FxType type) {
    int64_t half = int64_t(1) << (type.getWidth() - 1);
    output(dend::OutputAttr::get(
        builder.getContext(), text(name),
        dend::intSpike(builder.getContext(), -half, half - 1), 1));
  }
  StringAttr text(StringRef name) { return builder.getStringAttr(name); }

  /// Arguments are there after this: all parameters keep their place.
  dend::NeuronOp create(StringRef name) {
    model = dend::NeuronOp::create(
        builder, from.getLoc(), text(name), builder.getArrayAttr(ports),
        from.getParams(), builder.getArrayAttr(states),
        builder.getArrayAttr(outputs));
    Block &block = model.getBody().emplaceBlock();
    for (Type type : portTypes)
      block.addArgument(type, from.getLoc());
    for (Value param : from.getParamArgs())
      block.addArgument(param.getType(), from.getLoc());
    for (Type type : stateTypes)
      block.addArgument(type, from.getLoc());
    builder.setInsertionPointToStart(&block);
    return model;
  }

  void mapParameters(IRMapping &map) {
    for (auto [old, now] : llvm::zip(from.getParamArgs(), model.getParamArgs()))
      map.map(old, now);
  }

  /// A copy of the value and of what it is computed by, up to what is mapped.
  Value copy(Value value, IRMapping &map) {
    if (Value known = map.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      copy(operand, map);
    Operation *clone = builder.clone(*op, map);
    for (Value result : clone->getResults())
      result.setType(typeIn(result.getType()));
    return map.lookup(value);
  }

  /// Ends the body, and drops the parameters that it does not read.
  dend::NeuronOp finish(ArrayRef<Value> next, ArrayRef<Value> emitted) {
    dend::YieldOp::create(builder, from.getLoc(), next, emitted);
    SmallVector<Attribute> params(from.getParams().getValue());
    for (unsigned i = unsigned(params.size()); i-- > 0;)
      if (BlockArgument param = model.getParamArgs()[i]; param.use_empty()) {
        params.erase(params.begin() + i);
        model.getBlock().eraseArgument(param.getArgNumber());
        model.setParamsAttr(builder.getArrayAttr(params));
      }
    return model;
  }

private:
  dend::NeuronOp from, model;
  int64_t count;
  OpBuilder builder;
  SmallVector<Attribute> ports, states, outputs;
  SmallVector<Type> portTypes, stateTypes;
};

} // namespace

dend::NeuronOp makePart(const DendriteParts &parts, int64_t count,
                        StringRef name) {
  dend::NeuronOp from = parts.model;
  ModelBuilder make(parts, count);
  auto port = [&](unsigned i) -> Value { return from.getPortArgs()[i]; };
  auto state = [&](unsigned i) -> Value { return from.getStateArgs()[i]; };
  for (unsigned i : parts.vectorPorts)
    make.port(from.getPort(i).getName(), port(i).getType());
  for (auto [i, value] : llvm::enumerate(parts.decisions))
    make.port(decisionName(unsigned(i)), value.getType());
  for (unsigned i : parts.vectorStates)
    make.state(from.getState(i), state(i).getType());
  // The inputs of the tick before, which the pending update needs.
  for (unsigned i : parts.keptPorts)
    make.state(
        dend::StateAttr::get(
            from.getContext(),
            make.text((from.getPort(i).getName().getValue() + ".kept").str()),
            make.text("sample"), Attribute()),
        port(i).getType());
  for (unsigned i : parts.vectorOutputs) {
    dend::OutputAttr output = from.getOutput(i);
    make.output(dend::OutputAttr::get(from.getContext(), output.getName(),
                                      output.getType(), count));
  }
  for (auto [i, value] : llvm::enumerate(parts.sums))
    make.output(sumName(unsigned(i)), dend::fixedType(value.getType()));
  dend::NeuronOp model = make.create(name);

  auto ports = model.getPortArgs(), states = model.getStateArgs();
  IRMapping pending, now;
  make.mapParameters(pending);
  make.mapParameters(now);
  for (auto [i, old] : llvm::enumerate(parts.vectorPorts))
    now.map(port(old), ports[i]);
  for (auto [i, value] : llvm::enumerate(parts.decisions))
    pending.map(value, ports[parts.vectorPorts.size() + i]);
  for (auto [i, old] : llvm::enumerate(parts.vectorStates))
    pending.map(state(old), states[i]);
  for (auto [i, old] : llvm::enumerate(parts.keptPorts))
    pending.map(port(old), states[parts.vectorStates.size() + i]);
  SmallVector<Value> next, emitted;
  for (unsigned i : parts.vectorStates) {
    next.push_back(make.copy(yieldOf(from).getStates()[i], pending));
    now.map(state(i), next.back());
  }
  for (unsigned i : parts.keptPorts)
    next.push_back(now.lookup(port(i)));
  for (unsigned i : parts.vectorOutputs)
    emitted.push_back(make.copy(yieldOf(from).getEmitted()[i], now));
  for (Value sum : parts.sums)
    emitted.push_back(make.copy(sum, now));
  return make.finish(next, emitted);
}

dend::NeuronOp makePredictor(const DendriteParts &parts, StringRef name) {
  dend::NeuronOp from = parts.model;
  ModelBuilder make(parts, 0);
  for (unsigned i : parts.scalarPorts)
    make.port(from.getPort(i).getName(), from.getPortArgs()[i].getType(),
              from.getPort(i).getHold());
  for (auto [i, value] : llvm::enumerate(parts.sums))
    make.port(sumName(unsigned(i)), value.getType());
  for (unsigned i : parts.scalarStates)
    make.state(from.getState(i), from.getStateArgs()[i].getType());
  for (unsigned i : parts.scalarOutputs)
    make.output(from.getOutput(i));
  for (auto [i, value] : llvm::enumerate(parts.decisions))
    make.output(decisionName(unsigned(i)), dend::fixedType(value.getType()));
  dend::NeuronOp model = make.create(name);

  IRMapping map;
  make.mapParameters(map);
  for (auto [i, port] : llvm::enumerate(parts.scalarPorts))
    map.map(Value(from.getPortArgs()[port]), Value(model.getPortArgs()[i]));
  for (auto [i, value] : llvm::enumerate(parts.sums))
    map.map(value, model.getPortArgs()[parts.scalarPorts.size() + i]);
  for (auto [i, state] : llvm::enumerate(parts.scalarStates))
    map.map(Value(from.getStateArgs()[state]), Value(model.getStateArgs()[i]));
  SmallVector<Value> next, emitted;
  for (unsigned i : parts.scalarStates)
    next.push_back(make.copy(yieldOf(from).getStates()[i], map));
  for (unsigned i : parts.scalarOutputs)
    emitted.push_back(make.copy(yieldOf(from).getEmitted()[i], map));
  for (Value value : parts.decisions)
    emitted.push_back(make.copy(value, map));
  return make.finish(next, emitted);
}

} // namespace dendrolith
