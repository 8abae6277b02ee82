// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/Checks.h"
#include "dialects/dend/FixedPoint.h"
#include "dialects/dend/reference/Build.h"
#include "dialects/dend/reference/Evaluate.h"

using namespace mlir;

namespace dendrolith::dend {
namespace {

// Most elements of one value over a population: 2 GiB of doubles.
constexpr int64_t kMaxElements = int64_t(1) << 28;

LogicalResult checkSize(PopulationOp op, NeuronOp model) {
  int64_t neurons = int64_t(op.getSize());
  auto tooLarge = [&](Type type) {
    return elementCount(type) > kMaxElements / std::max<int64_t>(neurons, 1);
  };
  bool bad = neurons < 1 || neurons > kMaxElements;
  for (BlockArgument argument : model.getBlock().getArguments())
    bad |= tooLarge(argument.getType());
  model.getBlock().walk([&](Operation *inner) {
    for (Type type : inner->getResultTypes())
      bad |= tooLarge(type);
  });
  if (bad)
    return op.emitError() << "population @" << op.getSymName() << " of "
                          << neurons
                          << " neurons is empty or too large to interpret";
  return success();
}

/// Constant elements fit a value: the kind, and one neuron's or all neurons'.
LogicalResult checkElements(PopulationOp op, StringRef what, StringRef name,
                            const Tensor &tensor, const PopulationValue &lanes,
                            int64_t neurons) {
  bool complex = lanes.kind == ElementKind::Complex;
  if (tensor.isReal != lanes.isReal() || tensor.isComplex != complex)
    return op.emitError() << what << " '" << name << "' of @" << op.getSymName()
                          << " is bound to a constant of another kind";
  if (tensor.size() != lanes.size * neurons)
    return op.emitError() << what << " '" << name << "' of @" << op.getSymName()
                          << " needs " << lanes.size * neurons
                          << " numbers, found " << tensor.size() << " of shape "
                          << shapeText(tensor.shape);
  for (int64_t x : tensor.ints)
    if (lanes.kind == ElementKind::Bool
            ? x < 0 || x > 1
            : x < lowest(lanes.width) || x > highest(lanes.width))
      return op.emitError()
             << what << " '" << name << "' of @" << op.getSymName() << " holds "
             << x << ", outside the range of its type";
  return success();
}

LogicalResult bindParameters(Population &population, const Context &context) {
  PopulationOp op = population.op;
  NeuronOp model = population.model;
  for (auto [i, argument] : llvm::enumerate(model.getParamArgs())) {
    ParamAttr param = model.getParam(i);
    StringRef name = param.getName().getValue();
    Attribute bound;
    if (std::optional<DictionaryAttr> params = op.getParams())
      bound = params->get(name);
    auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(bound);
    if (!symbol)
      return op.emitError() << "parameter '" << name << "' of @"
                            << op.getSymName() << " is not bound";
    FailureOr<Tensor> tensor = context.constant(op, symbol.getValue());
    if (failed(tensor))
      return failure();
    PopulationValue &lanes = population.frame[argument];
    if (failed(checkElements(op, "parameter", name, *tensor, lanes,
                             param.getPerNeuron() ? population.neurons : 1)))
      return failure();
    lanes.assign(*tensor);
  }
  return success();
}

/// The initial value of a state: absent, one number, or a constant.
LogicalResult initialise(Population &population, State &state, Attribute init,
                         const Context &context) {
  PopulationOp op = population.op;
  PopulationValue &to = state.initial;
  to.clear(population.neurons);
  if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(init)) {
    FailureOr<Tensor> tensor = context.constant(op, symbol.getValue());
    if (failed(tensor) ||
        failed(checkElements(op, "initial value of state", state.name, *tensor,
                             to, population.neurons)))
      return failure();
    to.assign(*tensor);
    return success();
  }
  auto real = dyn_cast_or_null<FloatAttr>(init);
  auto integer = dyn_cast_or_null<IntegerAttr>(init);
  if (init && !real && !(integer && integer.getValue().getBitWidth() <= 64))
    return op.emitError() << "initial value of state '" << state.name
                          << "' is no number and no constant";
  if (real && !to.isReal())
    return op.emitError() << "initial value of state '" << state.name
                          << "' must be an integer";
  if (!to.isReal()) {
    int64_t x = integer ? integer.getValue().getSExtValue() : 0;
    if (to.kind == ElementKind::Bool)
      x &= 1;
    else if (x < lowest(to.width) || x > highest(to.width))
      return op.emitError() << "initial value " << x << " of state '"
                            << state.name << "' does not fit its type";
    to.raw.assign(to.raw.size(), x);
    return success();
  }
  double x = real      ? real.getValueAsDouble()
             : integer ? double(integer.getValue().getSExtValue())
                       : 0.0;
  // A complex state starts at a real number.
  size_t step = to.kind == ElementKind::Complex ? 2 : 1;
  for (size_t i = 0; i < to.real.size(); i += step)
    to.real[i] = x;
  return success();
}

LogicalResult addStates(Population &population, const Context &context) {
  NeuronOp model = population.model;
  for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
    StateAttr attribute = model.getState(i);
    State state;
    state.name = attribute.getName().str();
    state.initial = PopulationValue(argument.getType());
    state.record.isReal = state.initial.isReal();
    if (!state.record.isReal)
      state.record.bits = state.initial.width;
    if (auto clock = dyn_cast<FlatSymbolRefAttr>(attribute.getReset())) {
      FailureOr<int64_t> every =
          context.every(population.op, population.ticks, clock.getValue());
      if (failed(every))
        return failure();
      state.resetEvery = *every;
    } else {
      state.never = cast<StringAttr>(attribute.getReset()) == "never";
    }
    if (failed(initialise(population, state, attribute.getInit(), context)))
      return failure();
    population.frame[argument].assign(state.initial, population.neurons);
    population.states.push_back(std::move(state));
  }
  return success();
}

LogicalResult addPorts(Population &population, const Context &context) {
  NeuronOp model = population.model;
  for (auto [i, argument] : llvm::enumerate(model.getPortArgs())) {
    Port port;
    port.sum = PopulationValue(argument.getType());
    if (port.sum.kind == ElementKind::Complex ||
        port.sum.kind == ElementKind::Bool)
      return model.emitError() << "port " << model.getPort(i).getName()
                               << " of type " << argument.getType()
                               << " cannot accumulate: expected a real, "
                                  "fixed-point or i32 type";
    port.sum.clear(population.neurons);
    port.clearEvery = 1;
    if (FlatSymbolRefAttr hold = model.getPort(i).getHold()) {
      FailureOr<int64_t> every =
          context.every(population.op, population.ticks, hold.getValue());
      if (failed(every))
        return failure();
      port.clearEvery = *every;
    }
    population.ports.push_back(std::move(port));
  }
  return success();
}

LogicalResult addOutputs(Population &population, unsigned index,
                         std::vector<Source> &sources) {
  NeuronOp model = population.model;
  auto yield = cast<YieldOp>(model.getBlock().getTerminator());
  for (auto [i, emitted] : llvm::enumerate(yield.getEmitted())) {
    OutputAttr output = model.getOutput(i);
    Source source{population.op.getSymName().str(),
                  int(index),
                  output.getName().str(),
                  population.ticks,
                  output.getType(),
                  PopulationValue(emitted.getType())};
    bool graded = output.getType().getKind() == SpikeKind::Graded;
    if (source.value.kind == ElementKind::Complex ||
        (source.value.isReal() && !graded))
      return model.emitError()
             << "output " << output.getName() << " of type " << output.getType()
             << " cannot carry a value of type " << emitted.getType();
    source.value.clear(population.neurons);
    population.sources.push_back(sources.size());
    Signal &emission = population.emissions.emplace_back();
    emission.isReal = source.value.isReal();
    if (!emission.isReal)
      emission.bits = source.value.width;
    sources.push_back(std::move(source));
  }
  return success();
}

} // namespace

LogicalResult checkScales(const Population &population) {
  NeuronOp model = population.model;
  WalkResult walked = model.getBlock().walk([&](SsfOp op) -> WalkResult {
    // Only parameters and literals are known before anything runs.
    Value scale = op.getScale();
    auto argument = dyn_cast<BlockArgument>(scale);
    bool isParameter =
        argument && llvm::is_contained(model.getParamArgs(), argument);
    if (!isParameter && !scale.getDefiningOp<LiteralOp>())
      return success();
    const PopulationValue &lanes = population.frame[scale];
    if (llvm::all_of(lanes.real, [](double x) { return x > 0; }) &&
        llvm::all_of(lanes.raw, [](int64_t x) { return x > 0; }))
      return success();
    InFlightDiagnostic error = PopulationOp(population.op).emitError()
                               << "scale of ssf in @"
                               << PopulationOp(population.op).getSymName()
                               << " must be positive for every neuron";
    error.attachNote(op.getLoc()) << "used here";
    return error;
  });
  return failure(walked.wasInterrupted());
}

FailureOr<Population> buildPopulation(PopulationOp op, unsigned index,
                                      const Context &context,
                                      std::vector<Source> &sources) {
  NeuronOp model = NetworkOp(context.op).lookupSymbol<NeuronOp>(op.getModel());
  if (!model)
    return op.emitError() << "no neuron model @" << op.getModel();
  FailureOr<int64_t> ticks = context.ticks(op, op.getClock());
  if (failed(ticks) || failed(checkSize(op, model)) || failed(checkBody(model)))
    return failure();
  int64_t neurons = int64_t(op.getSize());
  Population population{op, model, neurons, *ticks, Frame(model, neurons),
                        {}, {},    {},      {},     {}};
  evaluateLiterals(model, population.frame);
  if (failed(bindParameters(population, context)) ||
      failed(addStates(population, context)) ||
      failed(addPorts(population, context)) ||
      failed(addOutputs(population, index, sources)) ||
      failed(checkScales(population)))
    return failure();
  return population;
}

} // namespace dendrolith::dend
