// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/jit/bodies/Blocks.h"

#include "runtime/session/jit/bodies/BodyWriter.h"

#include "llvm/ADT/TypeSwitch.h"

namespace dendrolith::sim::jit::bodies {

using namespace mlir;

void Blocks::write(Block &block) {
  for (Operation &op : block.without_terminator())
    if (op.getNumResults() > 0 && !places.isFixed(op.getResult(0)))
      write(&op);
}

/// A part of a vector that stays where it is.
static bool isPart(Value result, const Places &places) {
  return places[result].kind == Place::Kind::Memory;
}

void Blocks::write(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](dend::BranchOp op) { branch(op); })
      .Case([&](dend::WhenOp op) { when(op); })
      .Case([&](dend::DotOp op) { dot(op); })
      .Case([&](dend::MatVecOp op) { matVec(op); })
      .Case([&](dend::VecMatOp op) { vecMat(op); })
      .Case([&](dend::ReduceOp op) { reduce(op); })
      .Case([&](dend::TopKOp op) { mark(op); })
      .Case([&](dend::ConcatOp op) { concat(op); })
      .Case([&](dend::RollOp op) { roll(op); })
      .Case([&](dend::SliceOp op) {
        if (!isPart(op.getResult(), places))
          take(op.getResult(), op.getOffset());
      })
      .Case([&](dend::ElementOp op) {
        if (!isPart(op.getResult(), places))
          take(op.getResult(), op.getIndex());
      })
      .Default([&](Operation *op) {
        if (addsOuter(op))
          return outer(op);
        if (isCall(op))
          return callMath(cast<dend::MathOp>(op));
        for (Value result : op->getResults())
          if (places[result].kind != Place::Kind::Lazy)
            e.keepAll(result);
      });
}

/// Copies all words of a value to a place of its own.
void Blocks::copy(Value from, int64_t to, Space space) {
  w.forAll(wordsOf(from), [&](At at, unsigned width) {
    w.store(e.read(from, at, width), space, w.plus(at, to));
  });
}

void Blocks::writeEnd(dend::YieldOp yield) {
  int64_t emitted = 0;
  for (Value value : yield.getEmitted()) {
    copy(value, emitted, Emitted);
    emitted += wordsOf(value);
  }
  // All new states are read before any old one is overwritten.
  dend::NeuronOp model = places.model;
  const auto olds = model.getStateArgs();
  for (unsigned s = 0; s < olds.size(); ++s)
    if (places.spareOf(s) >= 0)
      copy(yield.getStates()[s], places.spareOf(s), Scratch);
  for (unsigned s = 0; s < olds.size(); ++s) {
    const Value value = yield.getStates()[s];
    const int64_t to = places[olds[s]].word;
    if (value == olds[s] || places.isInPlace(s))
      continue;
    if (places.spareOf(s) < 0)
      copy(value, to, States);
    else
      w.forAll(wordsOf(value), [&](At at, unsigned width) {
        w.store(w.load(value.getType(), Scratch, w.plus(at, places.spareOf(s)),
                       width),
                States, w.plus(at, to));
      });
  }
}

OwningOpRef<ModuleOp> writeBody(MLIRContext &context, const Places &places) {
  OpBuilder b(&context);
  const Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  SmallVector<mlir::Type> types(kSpaces, LLVM::LLVMPointerType::get(&context));
  types.push_back(b.getI64Type());
  auto function = LLVM::LLVMFuncOp::create(
      b, loc, kFunction,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context), types));
  // No argument points into what another one does.
  for (unsigned i = 0; i < kSpaces; ++i)
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToEnd(entry);
  Words words(b, places, *entry);
  words.loops.forEach(
      entry->getArgument(kNeurons), places.lanes, [&](Value neuron) {
        words.begin(neuron);
        Blocks blocks(words, places);
        dend::NeuronOp model = places.model;
        blocks.write(model.getBlock());
        blocks.writeEnd(cast<dend::YieldOp>(model.getBlock().getTerminator()));
      });
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return module;
}

} // namespace dendrolith::sim::jit::bodies
