// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a host gives a network, and looking at it.

#include "dialects/dend/reference/Interpreter.h"

#include "dialects/dend/Checks.h"
#include "dialects/dend/NumberAttrs.h"
#include "dialects/dend/reference/Build.h"
#include "dialects/dend/reference/Evaluate.h"

#include <cmath>
#include <stdexcept>

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// The payload of one input value; see Interpreter::tick.
double payload(const InputInfo &info, std::optional<double> scale, double x) {
  auto fail = [&](const std::string &expected) {
    throw std::invalid_argument("input '" + info.name + "': found " +
                                std::to_string(x) + ", expected " + expected);
  };
  if (!std::isfinite(x))
    fail("a finite number");
  if (info.spike.getKind() == SpikeKind::Graded)
    return x;
  double low = double(info.spike.getLow()), high = double(info.spike.getHigh());
  if (scale)
    // nearbyint rounds half to even in the default rounding mode.
    return std::min(std::max(std::nearbyint(x * *scale), low), high);
  if (x != std::floor(x) || x < low || x > high)
    fail("a whole number from " + std::to_string(info.spike.getLow()) + " to " +
         std::to_string(info.spike.getHigh()));
  return x;
}

void clear(Signal &signal) {
  signal.ticks = 0;
  signal.real.clear();
  signal.raw.clear();
}

[[noreturn]] void unknown(const char *what, StringRef name) {
  throw std::invalid_argument(std::string("no ") + what + " '" + name.str() +
                              "'");
}

} // namespace

int64_t InputInfo::size() const {
  int64_t count = ticks;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Interpreter::Interpreter() : net(std::make_unique<BuiltNetwork>()) {}
Interpreter::Interpreter(const Interpreter &other)
    : net(std::make_unique<BuiltNetwork>(*other.net)) {}
Interpreter::~Interpreter() = default;

void Interpreter::setState(unsigned number, unsigned state,
                           const PopulationValue &value) {
  Population &population = net->populations[number];
  population.frame[population.model.getStateArgs()[state]].assign(
      value, population.neurons);
}

void Interpreter::reset() {
  net->rootTick = 0;
  for (Projection &projection : net->projections)
    projection.arriving.clear();
  for (unsigned p = 0; p < net->populations.size(); ++p) {
    Population &population = net->populations[p];
    for (Port &port : population.ports)
      port.sum.clear(population.neurons);
    for (auto [i, state] : llvm::enumerate(population.states))
      if (!state.never)
        setState(p, unsigned(i), state.initial);
  }
}

void Interpreter::tick(
    const std::map<std::string, std::vector<double>> &values) {
  for (const auto &[name, unused] : values)
    if (llvm::none_of(net->inputs, [name = name](const Input &input) {
          return input.info.name == name;
        }))
      unknown("input", name);
  std::vector<std::vector<double>> payloads;
  for (Input &input : net->inputs) {
    auto given = values.find(input.info.name);
    int64_t found = given == values.end() ? 0 : int64_t(given->second.size());
    if (found != input.info.size())
      throw std::invalid_argument(
          "input '" + input.info.name + "': found " + std::to_string(found) +
          " values, expected " + std::to_string(input.info.ticks) +
          " ticks of shape " + shapeText(input.info.shape));
    std::vector<double> &out = payloads.emplace_back();
    for (double x : given->second)
      out.push_back(payload(input.info, input.scale, x));
  }

  for (auto [input, all] : llvm::zip(net->inputs, payloads)) {
    PopulationValue &value = net->sources[input.source].value;
    for (int64_t t = 0; t < input.info.ticks; ++t) {
      for (int64_t i = 0; i < value.count; ++i) {
        double x = all[t * value.count + i];
        if (value.isReal())
          value.real[i] = x;
        else
          value.raw[i] = int64_t(x);
      }
      for (unsigned p : input.outgoing)
        send(p, net->rootTick * input.info.ticks + t);
    }
  }
  for (Population &population : net->populations) {
    for (State &state : population.states)
      clear(state.record);
    for (Signal &emission : population.emissions)
      clear(emission);
  }
  for (const Visit &visit : net->order)
    update(visit.population,
           net->rootTick * net->populations[visit.population].ticks +
               visit.tick);
  ++net->rootTick;
}

const Population &BuiltNetwork::population(StringRef name) const {
  for (const Population &population : populations)
    if (PopulationOp(population.op).getSymName() == name)
      return population;
  unknown("population", name);
}

const std::vector<InputInfo> &Interpreter::inputs() const {
  return net->inputInfos;
}
const std::vector<OutputInfo> &Interpreter::outputs() const {
  return net->outputInfos;
}

int64_t Interpreter::ticks(StringRef population) const {
  return net->population(population).ticks;
}

const Signal &Interpreter::emission(StringRef name, StringRef output) const {
  const Population &population = net->population(name);
  for (auto [i, source] : llvm::enumerate(population.sources))
    if (net->sources[source].output == output ||
        (output.empty() && population.sources.size() == 1))
      return population.emissions[i];
  unknown("output", name.str() + "[" + output.str() + "]");
}

const Signal &Interpreter::state(StringRef name, StringRef state) const {
  for (const State &candidate : net->population(name).states)
    if (candidate.name == state)
      return candidate.record;
  unknown("state", name.str() + "[" + state.str() + "]");
}

std::vector<double> Interpreter::output(StringRef name) const {
  for (OutputOp op : net->outputOps) {
    if (op.getSymName() != name)
      continue;
    if (!op.getProbe()) {
      const Signal &signal = emission(op.getPopulation(), op.getFrom());
      if (!signal.isReal)
        return {signal.raw.begin(), signal.raw.end()};
      const double units = unitsOf(net->population(op.getPopulation()).op,
                                   kOutputUnits, op.getFrom());
      std::vector<double> values = signal.real;
      for (double &value : values)
        value /= units;
      return values;
    }
    const Signal &signal = state(op.getPopulation(), op.getFrom());
    PopulationOp population = net->population(op.getPopulation()).op;
    const double units = unitsOf(population, kStateUnits, op.getFrom());
    std::vector<double> values = signal.real;
    for (double &value : values)
      value /= units;
    NeuronOp model = net->population(op.getPopulation()).model;
    BlockArgument argument =
        model.getStateArgs()[model.findState(op.getFrom())];
    int exponent = PopulationValue(argument.getType()).exponent;
    std::optional<llvm::APFloat> scale = population.getScale();
    for (int64_t raw : signal.raw)
      values.push_back(scale ? double(raw) / scale->convertToDouble()
                             : std::ldexp(double(raw), exponent) / units);
    return values;
  }
  unknown("output", name);
}

void Interpreter::observe(Observer observer) {
  net->observer = std::move(observer);
}

// The reference interpreter's update of a population: what arrived, the body,
// the new states, and what leaves.

namespace {

class PlainInterpreter final : public Interpreter {
public:
  using Interpreter::build;

private:
  void keepSynapses(Connections connections) override {
    synapses.emplace_back(std::move(connections));
  }
  void send(unsigned projection, int64_t sourceTick) override;
  void update(unsigned population, int64_t tick) override;
  void readPort(Population &population, unsigned index, int64_t tick);
  void emit(Population &population);
  void replaceStates(Population &population);

  std::vector<Synapses> synapses; // of each projection
};

void append(Signal &to, const PopulationValue &from) {
  to.real.insert(to.real.end(), from.real.begin(), from.real.end());
  to.raw.insert(to.raw.end(), from.raw.begin(), from.raw.end());
  ++to.ticks;
}

/// Adds numbers to a value of the same kind, integers modulo its width.
template <typename Integer>
void add(PopulationValue &to, const std::vector<double> &real,
         const std::vector<Integer> &raw) {
  if (to.isReal())
    for (size_t i = 0; i < real.size(); ++i)
      to.real[i] += real[i];
  else
    for (size_t i = 0; i < raw.size(); ++i)
      to.raw[i] =
          addFixed(to.raw[i], int64_t(raw[i]), to.width, Overflow::Wrap);
}

void PlainInterpreter::send(unsigned number, int64_t sourceTick) {
  Projection &projection = net->projections[number];
  synapses[number].send(
      net->sources[projection.source].value,
      projection.arriving[projection.timing.arrival(sourceTick)]);
}

void PlainInterpreter::readPort(Population &population, unsigned index,
                                int64_t tick) {
  Port &port = population.ports[index];
  if (tick % port.clearEvery == 0)
    port.sum.clear(population.neurons);
  for (unsigned p : port.projections) {
    Projection &projection = net->projections[p];
    // The first tick within one of the slower clock sees what arrived.
    int64_t perSlow = population.ticks / projection.timing.slowTicks();
    if (tick % perSlow != 0)
      continue;
    auto due = projection.arriving.find(tick / perSlow);
    if (due == projection.arriving.end())
      continue;
    add(port.sum, due->second.real, due->second.raw);
    projection.arriving.erase(due);
  }
  PopulationValue &value =
      population.frame[population.model.getPortArgs()[index]];
  value.assign(port.sum, population.neurons);
  for (unsigned p : port.projections) {
    const Tensor &bias = net->projections[p].bias;
    add(value, bias.real, bias.ints);
  }
}

void PlainInterpreter::emit(Population &population) {
  auto yield = cast<YieldOp>(population.model.getBlock().getTerminator());
  for (auto [i, emitted] : llvm::enumerate(yield.getEmitted())) {
    Source &source = net->sources[population.sources[i]];
    source.value.assign(population.frame[emitted], population.neurons);
    // An axon carries the range of its type and nothing else.
    if (source.spike.getKind() != SpikeKind::Graded)
      for (int64_t &x : source.value.raw)
        x = std::min(std::max(x, source.spike.getLow()),
                     source.spike.getHigh());
    append(population.emissions[i], source.value);
  }
}

/// All new states are read before any old one is overwritten.
void PlainInterpreter::replaceStates(Population &population) {
  auto yield = cast<YieldOp>(population.model.getBlock().getTerminator());
  std::vector<PopulationValue> states;
  for (Value next : yield.getStates())
    states.emplace_back(next.getType())
        .assign(population.frame[next], population.neurons);
  for (auto [i, argument] : llvm::enumerate(population.model.getStateArgs())) {
    append(population.states[i].record, states[i]);
    population.frame[argument] = states[i];
  }
}

void PlainInterpreter::update(unsigned number, int64_t tick) {
  Population &population = net->populations[number];
  for (auto [i, state] : llvm::enumerate(population.states))
    if (state.resetEvery && tick % state.resetEvery == 0)
      setState(number, unsigned(i), state.initial);
  for (unsigned i = 0; i < population.ports.size(); ++i)
    readPort(population, i, tick);
  for (Operation &op : population.model.getBlock().without_terminator())
    evaluateOp(&op, population.frame);
  if (net->observer)
    net->observer({population.op, population.model, tick, population.frame});
  emit(population);
  replaceStates(population);
  for (unsigned p : population.outgoing)
    send(p, tick);
}

} // namespace

FailureOr<std::unique_ptr<Interpreter>>
Interpreter::create(NetworkOp network, const Bindings &bindings) {
  auto made = std::make_unique<PlainInterpreter>();
  if (failed(made->build(network, bindings)))
    return failure();
  return std::unique_ptr<Interpreter>(std::move(made));
}

} // namespace dendrolith::dend
