// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running a network, and looking at it.

#include "dialects/dend/reference/Interpreter.h"

#include "dialects/dend/Checks.h"
#include "dialects/dend/FixedPoint64.h"
#include "dialects/dend/UnitsAttr.h"
#include "dialects/dend/reference/Evaluate.h"
#include "dialects/dend/reference/Network.h"

#include <cmath>
#include <stdexcept>

using namespace mlir;

namespace neurite::dend {
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

void append(Signal &to, const Lanes &from) {
  to.real.insert(to.real.end(), from.real.begin(), from.real.end());
  to.raw.insert(to.raw.end(), from.raw.begin(), from.raw.end());
  ++to.ticks;
}

void clear(Signal &signal) {
  signal.ticks = 0;
  signal.real.clear();
  signal.raw.clear();
}

/// x = f(x, y) for as many elements as y has.
template <typename X, typename Y, typename F>
void combine(std::vector<X> &x, const std::vector<Y> &y, F f) {
  loopSideBySide([f, to = x.data(), from = y.data(), count = y.size()]()
                     NEURITE_SIDE_BY_SIDE {
                       for (size_t i = 0; i < count; ++i)
                         to[i] = f(to[i], from[i]);
                     });
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

Interpreter::Interpreter(std::unique_ptr<Network> network)
    : net(std::move(network)) {}
Interpreter::~Interpreter() = default;

std::unique_ptr<Interpreter> Interpreter::copy() const {
  return std::unique_ptr<Interpreter>(
      new Interpreter(std::make_unique<Network>(*net)));
}

void Interpreter::Network::send(Projection &projection, int64_t sourceTick) {
  const Lanes &value = sources[projection.source].value;
  int64_t arrival = projection.timing.arrival(sourceTick);
  auto [it, isNew] = projection.arriving.try_emplace(arrival);
  if (isNew && !projection.spare.empty()) {
    it->second = std::move(projection.spare.back());
    projection.spare.pop_back();
  }
  projection.synapses->send(value, it->second);
}

void Interpreter::Network::readPort(Population &population, unsigned index,
                                    int64_t tick) {
  Port &port = population.ports[index];
  Lanes &sum = port.sum;
  if (tick % port.clearEvery == 0)
    sum.clear(population.neurons);
  for (unsigned p : port.projections) {
    Projection &projection = projections[p];
    int64_t perSlow = population.ticks / projection.timing.slowTicks();
    if (tick % perSlow != 0)
      continue;
    auto due = projection.arriving.find(tick / perSlow);
    if (due == projection.arriving.end())
      continue;
    Arrivals &arrivals = due->second;
    combine(sum.real, arrivals.real, [](double x, double y) { return x + y; });
    combine(sum.raw, arrivals.raw, [width = sum.width](int64_t x, uint64_t y) {
      return wrap64(uint64_t(x) + y, width);
    });
    std::fill(arrivals.real.begin(), arrivals.real.end(), 0.0);
    std::fill(arrivals.raw.begin(), arrivals.raw.end(), 0);
    projection.spare.push_back(std::move(arrivals));
    projection.arriving.erase(due);
  }
  Lanes &value = population.frame[population.model.getPortArgs()[index]];
  if (port.clearEvery == 1) // the sum is cleared before it is read again
    std::swap(value, sum);
  else
    value.assign(sum, population.neurons);
  for (unsigned p : port.projections) {
    const Tensor &bias = projections[p].synapses->bias();
    combine(value.real, bias.real, [](double x, double y) { return x + y; });
    if (!value.isReal())
      combine(value.raw, bias.ints,
              [width = value.width](int64_t x, int64_t y) {
                return wrap64(uint64_t(x) + uint64_t(y), width);
              });
  }
}

void Interpreter::Network::emit(Population &population) {
  auto yield = cast<YieldOp>(population.model.getBlock().getTerminator());
  for (auto [i, emitted] : llvm::enumerate(yield.getEmitted())) {
    Source &source = sources[population.sources[i]];
    source.value.assign(population.frame[emitted], population.neurons);
    // An axon carries the range of its type and nothing else.
    if (source.spike.getKind() != SpikeKind::Graded)
      combine(source.value.raw, source.value.raw,
              [low = source.spike.getLow(),
               high = source.spike.getHigh()](int64_t x, int64_t) {
                return std::min(std::max(x, low), high);
              });
    if (records)
      append(population.emissions[i], source.value);
  }
}

void Interpreter::Network::update(Population &population, int64_t tick) {
  Frame &frame = population.frame;
  ArrayRef<BlockArgument> states = population.model.getStateArgs();
  for (auto [state, argument] : llvm::zip(population.states, states))
    if (state.resetEvery && tick % state.resetEvery == 0)
      frame[argument].assign(state.initial, population.neurons);
  for (unsigned i = 0; i < population.ports.size(); ++i)
    readPort(population, i, tick);

  Block &body = population.model.getBlock();
  for (Operation &op : body.without_terminator())
    evaluateOp(&op, frame);
  if (observer)
    observer({population.op, population.model, tick, frame});

  emit(population);
  // All new states are read before any old one is overwritten. A value that
  // nothing else reads any more is taken as it is.
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [state, value] : llvm::zip(population.states, yield.getStates()))
    if (Lanes &next = frame[value];
        state.alone && next.count == population.neurons)
      std::swap(state.next, next);
    else
      state.next.assign(next, population.neurons);
  for (auto [state, argument] : llvm::zip(population.states, states)) {
    if (records)
      append(state.record, state.next);
    std::swap(frame[argument], state.next);
  }
  for (unsigned p : population.outgoing)
    send(projections[p], tick);
}

void Interpreter::reset() {
  net->rootTick = 0;
  for (Projection &projection : net->projections)
    projection.arriving.clear();
  for (Population &population : net->populations) {
    for (Port &port : population.ports)
      port.sum.clear(population.neurons);
    for (auto [state, argument] :
         llvm::zip(population.states, population.model.getStateArgs()))
      if (!state.never)
        population.frame[argument].assign(state.initial, population.neurons);
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
    Lanes &value = net->sources[input.source].value;
    for (int64_t t = 0; t < input.info.ticks; ++t) {
      for (int64_t i = 0; i < value.count; ++i) {
        double x = all[t * value.count + i];
        if (value.isReal())
          value.real[i] = x;
        else
          value.raw[i] = int64_t(x);
      }
      for (unsigned p : input.outgoing)
        net->send(net->projections[p], net->rootTick * input.info.ticks + t);
    }
  }
  for (Population &population : net->populations) {
    for (State &state : population.states)
      clear(state.record);
    for (Signal &emission : population.emissions)
      clear(emission);
  }
  for (const Visit &visit : net->order) {
    Population &population = net->populations[visit.population];
    net->update(population, net->rootTick * population.ticks + visit.tick);
  }
  ++net->rootTick;
}

const Population &Interpreter::Network::population(StringRef name) const {
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
    int exponent = Lanes(argument.getType()).exponent;
    std::optional<llvm::APFloat> scale = population.getScale();
    for (int64_t raw : signal.raw)
      values.push_back(scale ? double(raw) / scale->convertToDouble()
                             : std::ldexp(double(raw), exponent) / units);
    return values;
  }
  unknown("output", name);
}

void Interpreter::recordNothing() { net->records = false; }

void Interpreter::observe(Observer observer) {
  net->observer = std::move(observer);
}

} // namespace neurite::dend
