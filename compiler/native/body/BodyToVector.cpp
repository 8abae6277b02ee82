// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/BodyToVector.h"

#include "compiler/native/body/BodyPatterns.h"
#include "compiler/native/code/Function.h"
#include "compiler/native/code/Loops.h"

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

} // namespace dendrolith::native::body
