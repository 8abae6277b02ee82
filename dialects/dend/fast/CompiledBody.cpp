// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/fast/CompiledBody.h"

#include "dialects/dend/fast/Evaluate.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace dendrolith::dend {

/// What interpreting a body must come to in all of a run for each of its ops,
/// before machine code is made of it: elements that are computed, where each op
/// of an update counts kOpOfUpdate more. Chosen with tests/bench/jit.py.
constexpr double kWorthCompiling = 4 << 20;
constexpr double kOpOfUpdate = 128;
/// An element of an op that the interpreter goes through one by one, not in
/// vectors, counts as so many.
constexpr double kOneByOne = 8;

static double workOf(Operation &op) {
  double elements = 0;
  for (Value result : op.getResults())
    elements += double(elementCount(result.getType()));
  // Products and sums go through all elements of an operand.
  if (isa<DotOp, MatVecOp, VecMatOp, ReduceOp>(op))
    for (Value operand : op.getOperands())
      elements = std::max(elements, double(elementCount(operand.getType())));
  const bool oneByOne =
      isa<BranchOp, CompartmentOp, JoinOp, SomaOp, FireOp, SsfOp, DeltaRuleOp>(
          op);
  return elements * (oneByOne ? kOneByOne : 1);
}

bool isWorthCompiling(NeuronOp model, int64_t neurons, double updates) {
  double work = 0, ops = 0;
  model.getBlock().walk([&](Operation *op) {
    work += workOf(*op) * double(neurons) + kOpOfUpdate;
    ++ops;
  });
  return work * updates >= kWorthCompiling * ops;
}

std::vector<Depends> dependenciesOf(NeuronOp model) {
  llvm::DenseMap<Value, Depends> known;
  for (Value port : model.getPortArgs())
    known[port] = Depends::OnState;
  for (Value state : model.getStateArgs())
    known[state] = Depends::OnState;
  for (auto [i, param] : llvm::enumerate(model.getParamArgs()))
    known[param] = model.getParam(unsigned(i)).getPerNeuron()
                       ? Depends::OnOwn
                       : Depends::OnShared;
  std::vector<Depends> all;
  for (Value value : bodyValues(model)) {
    if (Operation *op = value.getDefiningOp()) {
      Depends most = isa<WhenOp>(op) ? Depends::OnState : Depends::OnShared;
      for (Value operand : op->getOperands())
        most = std::max(most, known.at(operand));
      known[value] = most;
    }
    all.push_back(known.at(value));
  }
  return all;
}

template <Function function>
static void applyToAll(double *numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = apply(function, numbers[i]);
}

FunctionInPlace inPlace(Function function) {
  switch (function) {
  case Function::Exp:
    return applyToAll<Function::Exp>;
  case Function::Log:
    return applyToAll<Function::Log>;
  case Function::Tanh:
    return applyToAll<Function::Tanh>;
  case Function::Sigmoid:
    return applyToAll<Function::Sigmoid>;
  case Function::Sqrt:
    return applyToAll<Function::Sqrt>;
  case Function::Rsqrt:
    return applyToAll<Function::Rsqrt>;
  case Function::Reciprocal:
    return applyToAll<Function::Reciprocal>;
  case Function::Softplus:
    return applyToAll<Function::Softplus>;
  }
  return nullptr;
}

void CompiledUpdate::Memory::add(Type type) {
  first.push_back(each);
  each += elementCount(type) * (isComplex(type) ? 2 : 1);
}

void CompiledUpdate::Memory::resize(int64_t rows, int64_t side) {
  lanes = side;
  first.push_back(each);
  words.resize(size_t(rows * lanes * each));
}

/// Whether the words of a value, so many of each neuron, lie as in
/// PopulationValue.
bool CompiledUpdate::Memory::isOnePiece(int64_t size, int64_t neurons) const {
  return neurons == 1 ? lanes == 1 : each == size && (lanes == 1 || size == 1);
}

/// f(where word w of neuron n is, n, w), lanes one after the other.
template <typename F>
void CompiledUpdate::Memory::forWords(unsigned value, int64_t neurons,
                                      F f) const {
  for (int64_t n = 0; n < neurons; n += lanes) {
    const int64_t some = std::min(lanes, neurons - n);
    for (int64_t w = 0; w < first[value + 1] - first[value]; ++w) {
      const int64_t word = n * each + (first[value] + w) * lanes;
      for (int64_t lane = 0; lane < some; ++lane)
        f(word + lane, n + lane, w);
    }
  }
}

void CompiledUpdate::Memory::write(unsigned value, const PopulationValue &from,
                                   int64_t neurons) {
  const int64_t size = first[value + 1] - first[value];
  // Integers lie in words of reals as they are.
  const char *const all = from.isReal()
                              ? reinterpret_cast<const char *>(from.real.data())
                              : reinterpret_cast<const char *>(from.raw.data());
  if (isOnePiece(size, neurons) && from.count == neurons) {
    std::memcpy(words.data() + first[value], all,
                size_t(size * neurons) * sizeof(double));
    return;
  }
  const int64_t row = from.count == 1 ? 0 : size;
  forWords(value, neurons,
           [=, to = words.data()](int64_t word, int64_t n, int64_t w) {
             std::memcpy(to + word, all + (n * row + w) * 8, sizeof(double));
           });
}

void CompiledUpdate::Memory::read(unsigned value, PopulationValue &to,
                                  int64_t neurons) const {
  to.resize(neurons);
  const int64_t size = first[value + 1] - first[value];
  char *const all = to.isReal() ? reinterpret_cast<char *>(to.real.data())
                                : reinterpret_cast<char *>(to.raw.data());
  if (isOnePiece(size, neurons)) {
    std::memcpy(all, words.data() + first[value],
                size_t(size * neurons) * sizeof(double));
    return;
  }
  forWords(value, neurons,
           [=, from = words.data()](int64_t word, int64_t n, int64_t w) {
             std::memcpy(all + (n * size + w) * 8, from + word, sizeof(double));
           });
}

/// Evaluates what no update changes, in the interpreter.
static void evaluateFixed(NeuronOp model, Frame &frame,
                          const std::vector<Depends> &depends) {
  size_t next = model.getBlock().getNumArguments();
  model.getBlock().walk([&](Operation *op) {
    if (op->getNumResults() > 0 && depends[next] != Depends::OnState)
      fast::evaluateOp(op, frame);
    next += op->getNumResults();
  });
}

/// Puts matrices of so many columns column by column.
static void turn(PopulationValue &value, int64_t columns) {
  const std::vector<double> byRows = value.real;
  const int64_t height = value.size / columns;
  for (int64_t n = 0; n < value.count; ++n)
    for (int64_t k = 0; k < value.size; ++k)
      value.real[size_t(n * value.size + k % columns * height + k / columns)] =
          byRows[size_t(n * value.size + k)];
}

CompiledUpdate::CompiledUpdate(std::shared_ptr<const CompiledBody> made,
                               NeuronOp model, Frame &frame)
    : body(std::move(made)), neurons(frame.neurons()) {
  for (Value port : model.getPortArgs())
    ports.add(port.getType());
  for (Value state : model.getStateArgs())
    states.add(state.getType());
  auto yield = cast<YieldOp>(model.getBlock().getTerminator());
  for (Value value : yield.getEmitted())
    emitted.add(value.getType());
  const int64_t rows = (neurons + body->lanes - 1) / body->lanes;
  for (Memory *memory : {&ports, &states, &emitted})
    memory->resize(rows, body->lanes);
  scratch.resize(size_t(body->scratch));

  evaluateFixed(model, frame, dependenciesOf(model));
  const std::vector<Value> values = bodyValues(model);
  auto lay = [&](Memory &memory, const std::vector<CompiledBody::Fixed> &fixed,
                 int64_t rows, int64_t lanes, int64_t count) {
    for (const CompiledBody::Fixed &each : fixed)
      memory.add(values[each.value].getType());
    memory.resize(rows, lanes);
    for (auto [i, each] : llvm::enumerate(fixed)) {
      PopulationValue value = frame[values[each.value]];
      if (each.columns)
        turn(value, each.columns);
      memory.write(unsigned(i), value, count);
    }
  };
  lay(own, body->own, rows, body->lanes, neurons);
  lay(shared, body->shared, 1, 1, 1);
}

void CompiledUpdate::setPort(unsigned port, const PopulationValue &value) {
  ports.write(port, value, neurons);
}
void CompiledUpdate::setState(unsigned state, const PopulationValue &value) {
  states.write(state, value, neurons);
}
void CompiledUpdate::getState(unsigned state, PopulationValue &value) const {
  states.read(state, value, neurons);
}
void CompiledUpdate::getEmitted(unsigned output, PopulationValue &value) const {
  emitted.read(output, value, neurons);
}

void CompiledUpdate::run() {
  body->function(ports.data(), states.data(), shared.data(), own.data(),
                 emitted.data(), scratch.data(), neurons);
}

} // namespace dendrolith::dend
