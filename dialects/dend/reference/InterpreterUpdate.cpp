// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference interpreter's update of a population: what arrived, the body,
// the new states, and what leaves.

#include "dialects/dend/reference/Interpreter.h"

#include "dialects/dend/reference/BuiltNetwork.h"
#include "dialects/dend/reference/Evaluate.h"

using namespace mlir;

namespace dendrolith::dend {
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
