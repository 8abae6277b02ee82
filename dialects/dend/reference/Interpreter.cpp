// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a host gives a network, and looking at it.

#include "dialects/dend/reference/Interpreter.h"

#include "dialects/dend/Checks.h"
#include "dialects/dend/UnitsAttr.h"
#include "dialects/dend/reference/BuiltNetwork.h"

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

} // namespace dendrolith::dend
