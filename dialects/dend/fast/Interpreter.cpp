// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/fast/Interpreter.h"

#include "dialects/dend/fast/Evaluate.h"
#include "dialects/dend/fast/SideBySide.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith::dend::fast {
namespace {

void append(Signal &to, const PopulationValue &from) {
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

FailureOr<std::unique_ptr<Interpreter>>
Interpreter::create(NetworkOp network, const Bindings &bindings) {
  std::unique_ptr<Interpreter> made(new Interpreter);
  if (failed(made->build(network, bindings)))
    return failure();
  for (Population &population : made->net->populations) {
    UpdateStorage &own = made->updates.emplace_back();
    auto yield = cast<YieldOp>(population.model.getBlock().getTerminator());
    for (Value next : yield.getStates())
      // Arguments and literals keep their values from update to update.
      own.next.push_back({PopulationValue(next.getType()),
                          next.getDefiningOp() &&
                              !next.getDefiningOp<LiteralOp>() &&
                              llvm::count(yield.getStates(), next) == 1});
  }
  return made;
}

std::unique_ptr<Interpreter> Interpreter::copy() const {
  return std::unique_ptr<Interpreter>(new Interpreter(*this));
}

void Interpreter::keepSynapses(Connections connections) {
  synapses.push_back(std::make_shared<const Synapses>(connections));
  spare.emplace_back();
}

void Interpreter::recordStates(
    const std::set<std::pair<std::string, std::string>> &some) {
  for (auto [population, own] : llvm::zip_equal(net->populations, updates))
    for (auto [state, next] : llvm::zip_equal(population.states, own.next)) {
      const StringRef name = population.op.getSymName();
      next.records =
          some.count({name.str(), state.name}) > 0 ||
          llvm::any_of(net->outputOps, [&, &state = state](OutputOp op) {
            return op.getProbe() && op.getPopulation() == name &&
                   op.getFrom() == state.name;
          });
    }
}

void Interpreter::compile(const BodyCompilation &compilation) {
  if (!compilation.compiler)
    return;
  for (auto [population, own] : llvm::zip_equal(net->populations, updates)) {
    const double runs =
        double(compilation.rootTicks) * double(population.ticks);
    if (!compilation.always &&
        !isWorthCompiling(population.model, population.neurons, runs))
      continue;
    auto body =
        compilation.compiler->compile(population.model, population.neurons);
    if (!body)
      continue;
    own.compiled.emplace(std::move(body), population.model, population.frame);
    for (auto [i, argument] : llvm::enumerate(population.model.getStateArgs()))
      own.compiled->setState(unsigned(i), population.frame[argument]);
  }
}

void Interpreter::send(unsigned number, int64_t sourceTick) {
  Projection &projection = net->projections[number];
  const int64_t arrival = projection.timing.arrival(sourceTick);
  auto [it, isNew] = projection.arriving.try_emplace(arrival);
  if (isNew && !spare[number].empty()) {
    it->second = std::move(spare[number].back());
    spare[number].pop_back();
  }
  synapses[number]->send(net->sources[projection.source].value, it->second);
}

void Interpreter::readPort(Population &population, unsigned index,
                           int64_t tick) {
  Port &port = population.ports[index];
  PopulationValue &sum = port.sum;
  if (tick % port.clearEvery == 0)
    sum.clear(population.neurons);
  for (unsigned p : port.projections) {
    Projection &projection = net->projections[p];
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
    spare[p].push_back(std::move(arrivals));
    projection.arriving.erase(due);
  }
  PopulationValue &value =
      population.frame[population.model.getPortArgs()[index]];
  if (port.clearEvery == 1) // the sum is cleared before it is read again
    std::swap(value, sum);
  else
    value.assign(sum, population.neurons);
  for (unsigned p : port.projections) {
    const Tensor &bias = net->projections[p].bias;
    combine(value.real, bias.real, [](double x, double y) { return x + y; });
    if (!value.isReal())
      combine(value.raw, bias.ints,
              [width = value.width](int64_t x, int64_t y) {
                return wrap64(uint64_t(x) + uint64_t(y), width);
              });
  }
}

void Interpreter::setState(unsigned population, unsigned state,
                           const PopulationValue &value) {
  if (updates[population].compiled)
    updates[population].compiled->setState(state, value);
  else
    dend::Interpreter::setState(population, state, value);
}

void Interpreter::emit(Population &population, const UpdateStorage &own) {
  auto yield = cast<YieldOp>(population.model.getBlock().getTerminator());
  for (auto [i, emitted] : llvm::enumerate(yield.getEmitted())) {
    Source &source = net->sources[population.sources[i]];
    if (own.compiled)
      own.compiled->getEmitted(unsigned(i), source.value);
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

void Interpreter::runCode(Population &population, UpdateStorage &own) {
  CompiledUpdate &compiled = *own.compiled;
  for (auto [i, port] : llvm::enumerate(population.model.getPortArgs()))
    compiled.setPort(unsigned(i), population.frame[port]);
  compiled.run();
  emit(population, own);
  for (auto [i, next] : llvm::enumerate(own.next))
    if (records && next.records) {
      compiled.getState(unsigned(i), next.value);
      append(population.states[i].record, next.value);
    }
}

void Interpreter::interpret(Population &population, UpdateStorage &own,
                            int64_t tick) {
  Frame &frame = population.frame;
  Block &body = population.model.getBlock();
  for (Operation &op : body.without_terminator())
    fast::evaluateOp(&op, frame);
  if (net->observer)
    net->observer({population.op, population.model, tick, frame});

  emit(population, own);
  // All new states are read before any old one is overwritten. A value that
  // nothing else reads any more is taken as it is.
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [next, value] : llvm::zip(own.next, yield.getStates()))
    if (PopulationValue &computed = frame[value];
        next.isAlone && computed.count == population.neurons)
      std::swap(next.value, computed);
    else
      next.value.assign(computed, population.neurons);
  for (auto [i, argument] : llvm::enumerate(population.model.getStateArgs())) {
    if (records && own.next[i].records)
      append(population.states[i].record, own.next[i].value);
    std::swap(frame[argument], own.next[i].value);
  }
}

void Interpreter::update(unsigned number, int64_t tick) {
  Population &population = net->populations[number];
  for (auto [i, state] : llvm::enumerate(population.states))
    if (state.resetEvery && tick % state.resetEvery == 0)
      setState(number, unsigned(i), state.initial);
  for (unsigned i = 0; i < population.ports.size(); ++i)
    readPort(population, i, tick);
  UpdateStorage &own = updates[number];
  if (own.compiled)
    runCode(population, own);
  else
    interpret(population, own, tick);
  for (unsigned p : population.outgoing)
    send(p, tick);
}

} // namespace dendrolith::dend::fast
