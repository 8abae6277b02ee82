// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/BodyToVector.h"

#include "compiler/native/code/Function.h"
#include "compiler/native/code/Loops.h"

#include "compiler/native/body/Choices.h"
#include "compiler/native/body/Elements.h"
#include "compiler/native/body/Sums.h"
#include "llvm/Support/raw_ostream.h"

namespace dendrolith::native::body {

using namespace mlir;

std::string keyOf(dend::NeuronOp model) {
  llvm::DenseMap<Value, unsigned> numbers;
  for (Value value : dend::bodyValues(model))
    numbers.try_emplace(value, unsigned(numbers.size()));
  std::string key;
  llvm::raw_string_ostream text(key);
  text << model.getPortArgs().size() << ' ' << model.getStateArgs().size();
  for (Value argument : model.getBlock().getArguments())
    text << ' ' << argument.getType();
  for (unsigned i = 0; i < model.getParamArgs().size(); ++i)
    text << (model.getParam(i).getPerNeuron() ? " n" : " s");
  // An op of a region stands behind all of the region.
  model.getBlock().walk([&](Operation *op) {
    text << '\n' << op->getName();
    if (!isa<dend::LiteralOp>(op)) // which is read when the code runs
      text << op->getAttrDictionary();
    for (Value operand : op->getOperands())
      text << ' ' << numbers.lookup(operand);
    for (Value result : op->getResults())
      text << ' ' << result.getType();
    if (op->getNumRegions() > 0)
      text << " of " << op->getRegion(0).front().getOperations().size();
  });
  return key;
}

/// Finds the memories of the neurons from `first` on, an i64.
static void findMemories(OpBuilder &b, Block &entry, Value first,
                         BodyState &state) {
  const Location loc = b.getUnknownLoc();
  state.neuron = first;
  for (unsigned space = 0; space < kSpaces; ++space) {
    Value memory = entry.getArgument(space);
    const int64_t words = state.places.words[space];
    if (space != Shared && space != Scratch && words > 0) {
      const Value count =
          arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(words));
      const Value index = arith::MulIOp::create(b, loc, first, count);
      memory = LLVM::GEPOp::create(b, loc, memory.getType(), b.getF64Type(),
                                   memory, ValueRange{index});
    }
    state.memories[space] = memory;
  }
}

/// Moves the ops of a body that updates compute to where the builder stands.
/// What they read of the body's surroundings is cast from the memory that it
/// lies in.
static void moveBody(OpBuilder &b, dend::NeuronOp model, BodyState &state) {
  Places &places = state.places;
  std::vector<Operation *> fixed;
  for (Value value : dend::bodyValues(model)) {
    Operation *op = value.getDefiningOp();
    if (op && !places.isFixed(value))
      continue;
    if (places.contains(value)) {
      auto cast = UnrealizedConversionCastOp::create(
          b, b.getUnknownLoc(), value.getType(),
          state.memories[places[value].space]);
      places.rename(value, cast.getResult(0));
      value.replaceAllUsesWith(cast.getResult(0));
    }
    if (op && (fixed.empty() || fixed.back() != op))
      fixed.push_back(op);
  }
  for (Operation *op : llvm::reverse(fixed))
    op->erase();
  b.getBlock()->getOperations().splice(b.getInsertionPoint(),
                                       model.getBlock().getOperations());
}

FailureOr<dend::CompiledBody> writeBody(OpBuilder &b, dend::NeuronOp model,
                                        int64_t lanes, StringRef name) {
  OwningOpRef<dend::NeuronOp> copy(model.clone());
  BodyState state(*copy, lanes);
  LLVM::LLVMFuncOp function = createFunction(b, name, kSpaces, 1);
  Block *entry = function.addEntryBlock(b);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(entry);
  Lanes one(b, 1);
  Loops(one).forEach(entry->getArgument(kNeurons), lanes, [&](Value neuron) {
    findMemories(b, *entry, neuron, state);
    moveBody(b, *copy, state);
  });
  LLVM::ReturnOp::create(b, b.getUnknownLoc(), ValueRange());
  RewritePatternSet patterns(b.getContext());
  populateBodyToVectorPatterns(patterns, state);
  if (failed(convertFunction(function, std::move(patterns))))
    return failure();
  function.walk([](UnrealizedConversionCastOp cast) { cast.erase(); });
  dend::CompiledBody compiled;
  compiled.lanes = lanes;
  compiled.scratch = state.places.words[Scratch] * lanes;
  compiled.shared = state.places.shared;
  compiled.own = state.places.own;
  return compiled;
}

/// accumulator + lhs (x) rhs, or a delta rule on a matrix.
static void writeOuter(Operation *op, Elements &e) {
  Words &w = e.w;
  const Value result = op->getResult(0), old = op->getOperand(0);
  const int64_t rows = dend::shapeOf(result.getType()).front();
  const int64_t columns = sizeOf(result) / rows;
  auto add = dyn_cast<dend::OuterAddOp>(op);
  auto rule = dyn_cast<dend::DeltaRuleOp>(op);
  auto one = [&](Value value, At at, unsigned width) {
    return e.read(value, at, width);
  };
  w.forEach(rows, {}, [&](At row, const std::vector<Value> &none) {
    const Value left = add ? e.read(add.getLhs(), row, 1)
                           : w.mul(one(rule.getRate(), At{}, 1),
                                   e.read(rule.getKey(), row, 1));
    w.forAll(columns, [&](At column, unsigned width) {
      const At at = w.plus(w.times(row, columns), column);
      Value before = e.read(old, at, width), right;
      if (add) {
        right = e.read(add.getRhs(), column, width);
      } else {
        before = w.mul(one(rule.getKeep(), At{}, width), before);
        right = w.sub(e.read(rule.getTarget(), column, width),
                      e.read(rule.getPrediction(), column, width));
      }
      e.keep(result, at, w.add(before, w.mul(w.widen(left, width), right)));
    });
    return none;
  });
}

static void writeCall(dend::MathOp op, Elements &e) {
  Words &w = e.w;
  const Value result = op.getResult();
  const Place &place = e.places[result];
  const bool inRegisters = place.kind == Place::Kind::Registers;
  const int64_t word = inRegisters ? e.places.spareOf(op) : place.word;
  const Space space = inRegisters ? Scratch : place.space;
  e.copy(op.getInput(), word, space);
  e.call(op.getFunction(), space, word, sizeOf(result));
  if (inRegisters)
    for (int64_t i = 0; i < sizeOf(result); ++i)
      e.keep(result, At{i}, w.load(w.b.getF64Type(), Scratch, At{word + i}, 1));
}

/// Computes all elements of the results, unless they are computed where they
/// are read.
template <typename Op> static void writePointwise(Op op, Elements &e) {
  if (addsOuter(op))
    return writeOuter(op, e);
  if (auto math = dyn_cast<dend::MathOp>(op.getOperation());
      math && isCall(math))
    return writeCall(math, e);
  for (OpResult result : op->getResults())
    if (e.places[result].kind != Place::Kind::Lazy)
      e.w.forAll(sizeOf(result), [&](At at, unsigned width) {
        e.keep(result, at, e.compute(result, at, width));
      });
}

template <typename... Ops>
static void addPointwise(RewritePatternSet &patterns, BodyState &state,
                         OpList<Ops...>) {
  patterns.add<WriteOp<Ops, writePointwise<Ops>>...>(patterns.getContext(),
                                                     state);
}

static void populatePointwisePatterns(RewritePatternSet &patterns,
                                      BodyState &state) {
  addPointwise(patterns, state, PointwiseOps());
  addPointwise(patterns, state, OpList<dend::OuterAddOp>());
}

/// Elements below one index of the first axis.
static int64_t rowSize(Value value) {
  ArrayRef<int64_t> shape = dend::shapeOf(value.getType());
  return shape.empty() ? 1 : sizeOf(value) / shape.front();
}

/// Keeps elements from row `first` of the operand on; but a part of a vector in
/// memory stays where it is.
static void takeRows(OpResult result, int64_t first, Elements &e) {
  if (e.places[result].kind == Place::Kind::Memory)
    return;
  const Value input = result.getOwner()->getOperand(0);
  for (int64_t i = 0; i < sizeOf(result); ++i)
    e.keep(result, At{i}, e.read(input, At{first * rowSize(input) + i}, 1));
}

static void writeSlice(dend::SliceOp op, Elements &e) {
  takeRows(op->getResult(0), op.getOffset(), e);
}

static void writeElement(dend::ElementOp op, Elements &e) {
  takeRows(op->getResult(0), op.getIndex(), e);
}

static void writeConcat(dend::ConcatOp op, Elements &e) {
  Words &w = e.w;
  int64_t first = 0;
  for (Value part : op.getInputs()) {
    w.forAll(sizeOf(part), [&](At at, unsigned width) {
      e.keep(op.getResult(), w.plus(at, first), e.read(part, at, width));
    });
    first += sizeOf(part);
  }
}

static void writeRoll(dend::RollOp op, Elements &e) {
  Words &w = e.w;
  const int64_t row = rowSize(op.getInput()), size = sizeOf(op.getInput());
  const int64_t rows = size / row;
  const int64_t by = (int64_t(op.getBy()) % rows + rows) % rows * row;
  auto part = [&](int64_t to, int64_t from, int64_t count) {
    w.forAll(count, [&](At at, unsigned width) {
      e.keep(op.getResult(), w.plus(at, to),
             e.read(op.getInput(), w.plus(at, from), width));
    });
  };
  part(by, 0, size - by);
  part(0, size - by, by);
}

/// What the body emits, and the new states, which replace the old ones.
static void writeYield(dend::YieldOp yield, Elements &e) {
  Words &w = e.w;
  const Places &places = e.places;
  int64_t emitted = 0;
  for (Value value : yield.getEmitted()) {
    e.copy(value, emitted, Emitted);
    emitted += wordsOf(value);
  }
  const auto states = yield.getStates();
  // All new states are read before any old one is overwritten.
  for (unsigned s = 0; s < states.size(); ++s)
    if (places.spareOf(s) >= 0)
      e.copy(states[s], places.spareOf(s), Scratch);
  for (unsigned s = 0; s < states.size(); ++s) {
    const Value value = states[s], old = places.oldOf(s);
    const int64_t to = places[old].word;
    if (value == old || places.isInPlace(s))
      continue;
    if (places.spareOf(s) < 0)
      e.copy(value, to, States);
    else
      w.forAll(wordsOf(value), [&](At at, unsigned width) {
        w.store(w.load(value.getType(), Scratch, w.plus(at, places.spareOf(s)),
                       width),
                States, w.plus(at, to));
      });
  }
}

static void populateMovePatterns(RewritePatternSet &patterns,
                                 BodyState &state) {
  patterns.add<WriteOp<dend::SliceOp, writeSlice>,
               WriteOp<dend::ElementOp, writeElement>,
               WriteOp<dend::ConcatOp, writeConcat>,
               WriteOp<dend::RollOp, writeRoll>,
               WriteOp<dend::YieldOp, writeYield>>(patterns.getContext(),
                                                   state);
}

void populateBodyToVectorPatterns(RewritePatternSet &patterns,
                                  BodyState &state) {
  populatePointwisePatterns(patterns, state);
  populateSumPatterns(patterns, state);
  populateMovePatterns(patterns, state);
  populateChoicePatterns(patterns, state);
}

} // namespace dendrolith::native::body
