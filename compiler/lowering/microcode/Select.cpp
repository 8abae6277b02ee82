// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every body op becomes one instruction or one named expansion, as Select.cpp
// lists them.

#include "compiler/lowering/microcode/Select.h"

#include "dialects/dend/Constants.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace dendrolith::micro;

namespace dendrolith {

Selector::Selector(dend::NeuronOp model, ArrayRef<bool> biased)
    : model(model), biased(biased) {}

FailureOr<VirtualCode> Selector::run() {
  placeArguments();
  findUsed();
  for (Operation &op : model.getBlock().without_terminator())
    if (failed(select(op)))
      return failure();
  finish();
  return std::move(result);
}

/// Ports, parameters and states stay in their memories; a biased port becomes
/// a sum.
void Selector::placeArguments() {
  uint32_t word = 0;
  for (auto [i, port] : llvm::enumerate(model.getPortArgs())) {
    places[port] = {Space::Port, -1, word, false};
    word += elements(port);
  }
  word = 0;
  for (BlockArgument param : model.getParamArgs()) {
    places[param] = {Space::Param, -1, word, false};
    word += elements(param);
  }
  for (auto [i, port] : llvm::enumerate(model.getPortArgs()))
    if (biased[i]) {
      OperandPlace bias{Space::Param, -1, word, false};
      word += elements(port);
      VirtualInstruction &add = append(MicroOp::Add, model, port);
      add.name = "bias of " + model.getPort(i).getName().getValue().str();
      read(add, 0, places[port]);
      read(add, 1, bias);
      places[port] = write(add, port);
    }
  word = 0;
  for (BlockArgument state : model.getStateArgs()) {
    places[state] = {Space::State, -1, word, false};
    word += elements(state);
  }
}

/// Values that reach a state or an output. Ops of a body are pure, so the
/// others need not be computed.
void Selector::findUsed() {
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (Value value : yield->getOperands())
    used.insert(value);
  findUsed(model.getBlock());
}

void Selector::findUsed(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    if (llvm::none_of(op.getResults(),
                      [&](Value v) { return used.contains(v); }))
      continue;
    for (Value operand : op.getOperands())
      used.insert(operand);
    if (auto when = dyn_cast<dend::WhenOp>(op)) {
      for (Value given : when.getBody().front().getTerminator()->getOperands())
        used.insert(given);
      findUsed(when.getBody().front());
    }
  }
}

uint32_t Selector::elements(Value value) {
  return static_cast<uint32_t>(dend::elementCount(value.getType()));
}

uint8_t Selector::width(Type type) {
  if (dend::FxType fixed = dend::fixedType(type))
    return static_cast<uint8_t>(fixed.getWidth());
  return dend::elementType(type).isInteger(1) ? 1 : 32;
}

int Selector::exponent(Value value) {
  dend::FxType fixed = dend::fixedType(value.getType());
  return fixed ? fixed.getExponent() : 0;
}

/// A new instruction that computes `value` element by element.
VirtualInstruction &Selector::append(MicroOp op, Operation *from, Value value) {
  VirtualInstruction &i = result.code.emplace_back(from->getLoc());
  i.code.op = op;
  i.code.n = elements(value);
  i.code.width = width(value.getType());
  i.name = from->getName().getStringRef().str();
  return i;
}

void Selector::read(VirtualInstruction &i, unsigned operand,
                    OperandPlace place) {
  Operand &o = operand == 0 ? i.code.a : operand == 1 ? i.code.b : i.code.c;
  (operand == 0 ? i.a : operand == 1 ? i.b : i.c) = place.value;
  o = {place.space, place.scalar, place.offset};
}

/// Reads an SSA value; a scalar among vectors is repeated.
void Selector::read(VirtualInstruction &i, unsigned operand, Value value,
                    bool repeat) {
  OperandPlace place = places.at(value);
  place.scalar |= repeat && elements(value) == 1 && i.code.n > 1;
  read(i, operand, place);
}

/// Gives the instruction a virtual value of the size of `value` to write.
OperandPlace Selector::write(VirtualInstruction &i, Value value) {
  i.d = static_cast<int>(result.sizes.size());
  i.code.d = {Space::Register, false, 0};
  result.sizes.push_back(elements(value));
  return {Space::Register, i.d, 0, false};
}

/// Writes words from `offset` of an existing value.
void Selector::writeInto(VirtualInstruction &i, OperandPlace place,
                         uint32_t offset) {
  i.d = place.value;
  i.code.d = {place.space, false, place.offset + offset};
}

/// An instruction whose operands are those of the op, element by element.
VirtualInstruction &Selector::elementwise(MicroOp code, Operation *op) {
  Value value = op->getResult(0);
  VirtualInstruction &i = append(code, op, value);
  for (unsigned k = 0; k < op->getNumOperands(); ++k)
    read(i, k, op->getOperand(k), true);
  places[value] = write(i, value);
  return i;
}

OperandPlace Selector::constant(ArrayRef<int64_t> words) {
  bool splat = llvm::all_equal(words);
  ArrayRef<int64_t> stored = splat ? words.take_front() : words;
  // The same words are stored once.
  auto &all = result.constants;
  auto at = std::search(all.begin(), all.end(), stored.begin(), stored.end());
  uint32_t offset = static_cast<uint32_t>(at - all.begin());
  if (at == all.end())
    all.insert(all.end(), stored.begin(), stored.end());
  return {Space::Constant, -1, offset, splat && words.size() > 1};
}

LogicalResult Selector::select(Operation &op) {
  if (llvm::none_of(op.getResults(), [&](Value v) { return used.contains(v); }))
    return success();
  for (Value value : op.getResults())
    if (dend::isReal(value.getType()) ||
        isa<ComplexType>(dend::elementType(value.getType())))
      return op.emitOpError()
             << "computes the real value " << value.getType()
             << "; a program computes in integers: quantise the network first";
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](dend::MulOp mul) {
        if (!fusedRescale(mul))
          elementwise(MicroOp::Mul, mul);
        return success();
      })
      .Case([&](dend::RescaleOp rescale) { return select(rescale); })
      .Case([&](dend::LiteralOp literal) { return select(literal); })
      .Case([&](dend::CmpOp cmp) {
        elementwise(MicroOp::Compare, cmp).code.predicate =
            toMicro(cmp.getPredicate());
        return success();
      })
      .Case([&](dend::ShiftOp shift) {
        elementwise(MicroOp::Shift, shift).code.rounding =
            toMicro(shift.getRounding());
        return success();
      })
      .Case([&](dend::ClzOp clz) {
        elementwise(MicroOp::Clz, clz).code.width =
            width(clz.getInput().getType());
        return success();
      })
      .Case([&](dend::TableOp table) { return select(table); })
      .Case([&](dend::SsfOp ssf) { return select(ssf); })
      .Case<dend::DotOp, dend::MatVecOp, dend::VecMatOp>(
          [&](auto product) { return selectProduct(product); })
      .Case([&](dend::OuterAddOp outer) { return select(outer); })
      .Case([&](dend::ReduceOp reduce) { return select(reduce); })
      .Case([&](dend::TopKOp topk) {
        VirtualInstruction &i = elementwise(MicroOp::TopK, topk);
        i.code.m = static_cast<uint32_t>(topk.getK());
        return success();
      })
      .Case<dend::SliceOp, dend::ElementOp, dend::ConcatOp, dend::RollOp,
            dend::SplatOp>([&](auto move) { return select(move); })
      .Case([&](dend::WhenOp when) { return select(when); })
      .Default([&](Operation *other) -> LogicalResult {
        const OpEntry *entry = opEntry(other->getName().getStringRef());
        if (entry && entry->form == OpEntry::Instruction)
          return simple(*entry->instruction, *other);
        return other->emitOpError()
               << "has no instruction; expand it into body arithmetic first "
                  "(--dend-select-engine)";
      });
}

/// An instruction that has the op's operands, and saturates where the op does.
LogicalResult Selector::simple(MicroOp code, Operation &op) {
  elementwise(code, &op).code.saturate =
      cast<dend::BodyOpInterface>(op).saturates();
  return success();
}

FailureOr<VirtualCode> selectInstructions(dend::NeuronOp model,
                                          ArrayRef<bool> biased) {
  return Selector(model, biased).run();
}

const std::vector<OpEntry> &opTable() {
  using E = OpEntry;
  static const std::vector<OpEntry> table = {
      {"dend.abs", E::Instruction, MicroOp::Abs, ""},
      {"dend.add", E::Instruction, MicroOp::Add, ""},
      {"dend.branch", E::Earlier, {}, "complex values as pairs, real body ops"},
      {"dend.cable", E::Earlier, {}, "a branch of its modes"},
      {"dend.clamp", E::Instruction, MicroOp::Clamp, ""},
      {"dend.clz", E::Instruction, MicroOp::Clz, ""},
      {"dend.cmp", E::Instruction, MicroOp::Compare, ""},
      {"dend.compartment", E::Earlier, {}, "mul, add"},
      {"dend.concat", E::Expansion, MicroOp::Move, "a move for each operand"},
      {"dend.cuba", E::Earlier, {}, "Loihi 1's neuron in body ops"},
      {"dend.delta_rule", E::Earlier, {}, "mul, sub, add"},
      {"dend.div", E::RealOnly, {}, "in fixed point: reciprocal and mul"},
      {"dend.dot", E::Instruction, MicroOp::Dot, ""},
      {"dend.element", E::Expansion, {}, "addressing: no instruction"},
      {"dend.fire", E::Earlier, {}, "cmp, sub, select"},
      {"dend.join", E::Earlier, {}, "add, max, min"},
      {"dend.literal", E::Expansion, {}, "a constant of the program"},
      {"dend.math", E::Earlier, {}, "recipe: normalise, table, shift"},
      {"dend.matvec", E::Instruction, MicroOp::MatVec, ""},
      {"dend.max", E::Instruction, MicroOp::Max, ""},
      {"dend.min", E::Instruction, MicroOp::Min, ""},
      {"dend.mul", E::Instruction, MicroOp::Mul,
       "with the rescale that alone reads it"},
      {"dend.neg", E::Instruction, MicroOp::Neg, ""},
      {"dend.outer_add", E::Instruction, MicroOp::Outer, ""},
      {"dend.reduce", E::Expansion, MicroOp::Sum, "sum or maximum"},
      {"dend.rescale", E::Instruction, MicroOp::Scale,
       "none where only the width grows"},
      {"dend.roll", E::Expansion, MicroOp::Move, "two moves"},
      {"dend.select", E::Instruction, MicroOp::Select, ""},
      {"dend.shift", E::Instruction, MicroOp::Shift, ""},
      {"dend.slice", E::Expansion, {}, "addressing: no instruction"},
      {"dend.soma", E::Earlier, {}, "mul, add"},
      {"dend.splat", E::Expansion, {}, "a scalar operand: no instruction"},
      {"dend.ssf", E::Instruction, MicroOp::Ladder, ""},
      {"dend.sub", E::Instruction, MicroOp::Sub, ""},
      {"dend.table", E::Instruction, MicroOp::Table, ""},
      {"dend.to_real", E::RealOnly, {}, "a fixed-point value stays one"},
      {"dend.topk", E::Instruction, MicroOp::TopK, ""},
      {"dend.vecmat", E::Instruction, MicroOp::VecMat, ""},
      {"dend.when", E::Expansion, MicroOp::Skip, "moves, skip, region, moves"},
  };
  return table;
}

const OpEntry *opEntry(std::string_view op) {
  const std::vector<OpEntry> &table = opTable();
  auto at = std::lower_bound(table.begin(), table.end(), op,
                             [](const OpEntry &entry, std::string_view name) {
                               return entry.op < name;
                             });
  return at != table.end() && at->op == op ? &*at : nullptr;
}

} // namespace dendrolith
