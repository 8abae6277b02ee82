// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One update of a population: what arrived, the body, the new states, and what
// leaves.

#include "dialects/dend/FixedPoint64.h"
#include "dialects/dend/reference/Evaluate.h"
#include "dialects/dend/reference/Network.h"
#include "dialects/dend/reference/SideBySide.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith::dend {
namespace {

void append(Signal &to, const Lanes &from) {
  to.real.insert(to.real.end(), from.real.begin(), from.real.end());
  to.raw.insert(to.raw.end(), from.raw.begin(), from.raw.end());
  ++to.ticks;
}

/// x = f(x, y) for as many elements as y has.
template <typename X, typename Y, typename F>
void combine(std::vector<X> &x, const std::vector<Y> &y, F f) {
  loopSideBySide([f, to = x.data(), from = y.data(), count = y.size()]()
                     DENDROLITH_SIDE_BY_SIDE {
                       for (size_t i = 0; i < count; ++i)
                         to[i] = f(to[i], from[i]);
                     });
}

} // namespace

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

void Population::setState(unsigned state, const Lanes &value) {
  if (compiled)
    compiled->setState(state, value);
  else
    frame[model.getStateArgs()[state]].assign(value, neurons);
}

void Interpreter::Network::emit(Population &population) {
  auto yield = cast<YieldOp>(population.model.getBlock().getTerminator());
  for (auto [i, emitted] : llvm::enumerate(yield.getEmitted())) {
    Source &source = sources[population.sources[i]];
    if (population.compiled)
      population.compiled->getEmitted(unsigned(i), source.value);
    else
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

void Interpreter::Network::updateCompiled(Population &population) {
  CompiledUpdate &compiled = *population.compiled;
  for (auto [i, port] : llvm::enumerate(population.model.getPortArgs()))
    compiled.setPort(unsigned(i), population.frame[port]);
  compiled.run();
  emit(population);
  for (auto [i, state] : llvm::enumerate(population.states))
    if (records && state.records) {
      compiled.getState(unsigned(i), state.next);
      append(state.record, state.next);
    }
}

void Interpreter::Network::update(Population &population, int64_t tick) {
  for (auto [i, state] : llvm::enumerate(population.states))
    if (state.resetEvery && tick % state.resetEvery == 0)
      population.setState(unsigned(i), state.initial);
  for (unsigned i = 0; i < population.ports.size(); ++i)
    readPort(population, i, tick);
  if (population.compiled)
    updateCompiled(population);
  else
    updateInterpreted(population, tick);
  for (unsigned p : population.outgoing)
    send(projections[p], tick);
}

void Interpreter::Network::updateInterpreted(Population &population,
                                             int64_t tick) {
  Frame &frame = population.frame;
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
  for (auto [state, argument] :
       llvm::zip(population.states, population.model.getStateArgs())) {
    if (records && state.records)
      append(state.record, state.next);
    std::swap(frame[argument], state.next);
  }
}

} // namespace dendrolith::dend
