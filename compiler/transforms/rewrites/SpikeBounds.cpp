// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/SpikeBounds.h"

#include "compiler/transforms/network/Synapses.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/reference/Clocks.h"

#include <algorithm>
#include <set>

using namespace mlir;

namespace dendrolith {

/// The rule of the one op with a region: a result is what the region gives or
/// what was carried.
static void evaluate(dend::WhenOp op, Intervals &values) {
  evaluateIntervals(op.getBody().front(), values);
  auto give = cast<dend::GiveOp>(op.getBody().front().getTerminator());
  Interval condition = values.lookup(op.getCondition());
  for (auto [result, given, kept] :
       llvm::zip(op.getResults(), give.getValues(), op.getCarried()))
    values[result] =
        dend::chosen(condition, values.lookup(given), values.lookup(kept));
}

void evaluateIntervals(Block &body, Intervals &values) {
  SmallVector<Interval> operands, results;
  for (Operation &op : body.without_terminator()) {
    if (auto when = dyn_cast<dend::WhenOp>(op)) {
      evaluate(when, values);
      continue;
    }
    operands.clear();
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    results.clear();
    for (Type type : op.getResultTypes())
      results.push_back(dend::rangeOf(type));
    cast<dend::BodyOpInterface>(op).inferIntervals(operands, results);
    for (auto [value, interval] : llvm::zip_equal(op.getResults(), results))
      values[value] = interval;
  }
}

namespace {

// Updates after which a state that still grows may be anything.
constexpr int kMostUpdates = 512;

using Ids = std::map<std::string, std::set<int64_t>>;

/// Integers of a parameter or initial value by neuron: one row, or one each.
struct IntegerRows {
  std::vector<int64_t> values;
  int64_t width = 1;
  bool perNeuron = false;

  Interval of(int64_t neuron) const {
    auto first = values.begin() + (perNeuron ? neuron * width : 0);
    auto [low, high] = std::minmax_element(first, first + width);
    return {*low, *high};
  }
};

class Bounds {
public:
  Bounds(dend::PopulationOp population, const llvm::StringMap<int64_t> &ticks)
      : population(population), model(dend::modelOf(population)),
        network(population->getParentOfType<dend::NetworkOp>()), ticks(ticks),
        size(int64_t(population.getSize())),
        own(ticks.lookup(population.getClock())) {}

  /// Parameters, initial values and clock; false if some are no integers.
  bool read();
  /// Ports, with what the neurons in `silent` send left out.
  LogicalResult readPorts(const Ids &silent);
  bool neverEmits(int64_t neuron);

private:
  int64_t every(StringRef clock) const {
    return std::max<int64_t>(1, own / ticks.lookup(clock));
  }
  LogicalResult addPort(dend::ProjectOp project, const Ids &silent);

  dend::PopulationOp population;
  dend::NeuronOp model;
  dend::NetworkOp network;
  const llvm::StringMap<int64_t> &ticks;
  int64_t size, own; // own: ticks per root tick
  std::vector<IntegerRows> params, initial;
  std::vector<std::vector<Interval>> ports; // by port and neuron
  int updates = 0; // between resets of all states by clocks, 0: no bound
};

bool Bounds::read() {
  auto integers = [&](Attribute symbol, Type type, bool perNeuron,
                      IntegerRows &row) {
    auto found = dend::readInts(population, symbol);
    row.width = dend::elementCount(type);
    row.perNeuron = perNeuron;
    if (failed(found) ||
        int64_t(found->size()) < row.width * (perNeuron ? size : 1))
      return false;
    row.values = std::move(*found);
    return true;
  };
  for (Type type : model.getBlock().getArgumentTypes())
    if (dend::isReal(type) || dend::isComplex(type))
      return false;
  for (auto [i, argument] : llvm::enumerate(model.getParamArgs())) {
    dend::ParamAttr param = model.getParam(unsigned(i));
    DictionaryAttr bound = population.getParamsAttr();
    if (!bound || !integers(bound.get(param.getName()), argument.getType(),
                            param.getPerNeuron(), params.emplace_back()))
      return false;
  }
  updates = model.getStateArgs().empty() ? 1 : 0;
  bool all = true;
  for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
    dend::StateAttr state = model.getState(unsigned(i));
    IntegerRows &row = initial.emplace_back();
    if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(state.getInit())) {
      if (!integers(symbol, argument.getType(), true, row))
        return false;
    } else {
      auto number = dyn_cast_or_null<IntegerAttr>(state.getInit());
      if (state.getInit() && !number)
        return false;
      row.values = {number ? number.getValue().getSExtValue() : 0};
    }
    if (auto clock = dyn_cast<FlatSymbolRefAttr>(state.getReset()))
      updates = std::max(updates, int(every(clock.getValue())));
    else
      all = false;
  }
  if (!all)
    updates = 0;
  return true;
}

LogicalResult Bounds::readPorts(const Ids &silent) {
  ports.clear();
  for (unsigned i = 0; i < model.getPortArgs().size(); ++i)
    ports.emplace_back(size_t(size), Interval{0, 0});
  for (auto project : network.getOps<dend::ProjectOp>())
    if (project.getTarget() == population.getSymName() &&
        failed(addPort(project, silent)))
      return failure();
  for (auto [port, argument] : llvm::zip(ports, model.getPortArgs())) {
    Interval range = dend::rangeOf(argument.getType());
    for (Interval &interval : port)
      if (!interval.within(range))
        interval = range; // the sum may wrap
  }
  return success();
}

LogicalResult Bounds::addPort(dend::ProjectOp project, const Ids &silent) {
  auto index = unsigned(model.findPort(project.getPort()));
  std::vector<Interval> &port = ports[index];
  int64_t elements = dend::elementCount(model.getPortArgs()[index].getType());
  Operation *op = dend::symbolOf(project, project.getSourceAttr());
  auto input = dyn_cast<dend::InputOp>(op);
  auto source = dyn_cast<dend::PopulationOp>(op);
  dend::SpikeType spike;
  int64_t each = 1; // elements of a source neuron
  if (input) {
    spike = cast<dend::SpikeType>(input.getSpike());
  } else {
    dend::NeuronOp sender = dend::modelOf(source);
    dend::OutputAttr output = sender.getOutput(unsigned(
        project.getOutput() ? sender.findOutput(*project.getOutput()) : 0));
    spike = output.getType();
    each = output.getElements();
  }
  if (spike.getKind() == dend::SpikeKind::Graded ||
      isa<dend::ConvAttr, dend::PoolAttr>(project.getSynapses())) {
    port.assign(port.size(),
                dend::rangeOf(model.getPortArgs()[index].getType()));
    return success();
  }
  int64_t rate = ticks.lookup(input ? input.getClock() : source.getClock());
  int64_t times = std::max<int64_t>(1, rate / own);
  // Held, what arrives in the ticks before adds up.
  if (FlatSymbolRefAttr hold = model.getPort(index).getHold())
    times = std::max<int64_t>(1, every(hold.getValue()) * rate / own);
  auto dead = source ? silent.find(source.getSymName().str()) : silent.end();
  auto synapses = readSynapses<int64_t>(project);
  if (failed(synapses))
    return failure();
  dend::Int128 low = std::min<int64_t>(0, spike.getLow()) * times,
               high = std::max<int64_t>(0, spike.getHigh()) * times;
  for (size_t k = 0; k < synapses->size(); ++k) {
    if (dead != silent.end() && dead->second.count(synapses->source[k] / each))
      continue;
    const auto one = dend::Int128(1)
                     << std::min<int64_t>(63, int64_t(project.getShift()));
    const dend::Int128 weight = dend::Int128(synapses->weight(k)) * one;
    Interval &sum = port[size_t(synapses->target[k] / elements)];
    // Elements of a port share an interval, which holds each of their sums.
    sum.low += std::min(weight * low, weight * high);
    sum.high += std::max(weight * low, weight * high);
  }
  if (project.getBiasAttr()) {
    auto bias = dend::readInts(project, project.getBiasAttr());
    if (failed(bias))
      return project.emitError("its bias cannot be read as integers");
    for (size_t t = 0; t < bias->size(); ++t) {
      Interval &sum = port[t / size_t(elements)];
      int64_t b = (*bias)[t];
      sum.low += elements == 1 ? b : std::min<int64_t>(b, 0);
      sum.high += elements == 1 ? b : std::max<int64_t>(b, 0);
    }
  }
  return success();
}

bool Bounds::neverEmits(int64_t neuron) {
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  if (yield.getEmitted().empty())
    return false;
  Intervals values;
  for (auto [argument, port] : llvm::zip(model.getPortArgs(), ports))
    values[argument] = port[size_t(neuron)];
  for (auto [argument, row] : llvm::zip(model.getParamArgs(), params))
    values[argument] = row.of(neuron);
  for (auto [argument, row] : llvm::zip(model.getStateArgs(), initial))
    values[argument] = row.of(row.perNeuron ? neuron : 0);
  for (int update = 0; !updates || update < updates; ++update) {
    evaluateIntervals(model.getBlock(), values);
    for (Value value : yield.getEmitted())
      if (!values.lookup(value).is(0))
        return false;
    bool grown = false;
    for (auto [argument, next] :
         llvm::zip(model.getStateArgs(), yield.getStates())) {
      Interval old = values.lookup(argument),
               now = dend::hull(old, values.lookup(next));
      if (update >= kMostUpdates && now != old)
        now = dend::rangeOf(argument.getType());
      grown |= now != old;
      values[argument] = now;
    }
    if (!grown)
      return true;
  }
  return true;
}

} // namespace

FailureOr<std::map<std::string, std::vector<int64_t>>>
neverEmitting(dend::NetworkOp network) {
  auto ticks = dend::ticksPerRoot(network);
  if (failed(ticks))
    return failure();
  Ids silent;
  std::vector<std::pair<dend::PopulationOp, Bounds>> all;
  for (auto population : network.getOps<dend::PopulationOp>()) {
    Bounds bounds(population, *ticks);
    if (bounds.read())
      all.push_back({population, std::move(bounds)});
  }
  // A neuron that is proved silent makes the sums of others smaller.
  for (bool again = true; again;) {
    again = false;
    for (auto &[population, bounds] : all) {
      if (failed(bounds.readPorts(silent)))
        return failure();
      std::set<int64_t> &proved = silent[population.getSymName().str()];
      for (int64_t n = 0; n < int64_t(population.getSize()); ++n)
        if (!proved.count(n) && bounds.neverEmits(n)) {
          proved.insert(n);
          again = true;
        }
    }
  }
  std::map<std::string, std::vector<int64_t>> result;
  for (const auto &[name, ids] : silent)
    result[name].assign(ids.begin(), ids.end());
  return result;
}

} // namespace dendrolith
