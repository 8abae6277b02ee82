// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How elements are moved, and how skipped regions, emissions and stores are
// selected.

#include "compiler/lowering/microcode/Select.h"

using namespace mlir;
using namespace dendrolith::micro;

namespace dendrolith {

/// How many words one step along the first axis takes.
static uint32_t rowWords(Type type) {
  ArrayRef<int64_t> shape = dend::shapeOf(type);
  int64_t words = 1;
  for (int64_t extent : shape.drop_front())
    words *= extent;
  return static_cast<uint32_t>(words);
}

/// The part of a value from a word on. A repeated word has no parts.
static OperandPlace part(OperandPlace place, uint32_t word) {
  if (!place.scalar)
    place.offset += word;
  return place;
}

LogicalResult Selector::select(dend::SliceOp op) {
  uint32_t row = rowWords(op.getInput().getType());
  places[op.getResult()] =
      part(places.at(op.getInput()), uint32_t(op.getOffset()) * row);
  return success();
}

LogicalResult Selector::select(dend::ElementOp op) {
  uint32_t row = rowWords(op.getInput().getType());
  places[op.getResult()] =
      part(places.at(op.getInput()), uint32_t(op.getIndex()) * row);
  return success();
}

LogicalResult Selector::select(dend::SplatOp op) {
  OperandPlace place = places.at(op.getInput());
  place.scalar = elements(op.getResult()) > 1;
  places[op.getResult()] = place;
  return success();
}

/// Copies `n` words into a value, from its word `offset` on.
void Selector::move(Operation *from, Value like, uint32_t n, OperandPlace to,
                    uint32_t offset, OperandPlace source,
                    const std::string &name) {
  VirtualInstruction &i = append(MicroOp::Move, from, like);
  i.code.n = n;
  i.name = name;
  if (n == 1)
    source.scalar = false;
  read(i, 0, source);
  writeInto(i, to, offset);
}

LogicalResult Selector::select(dend::ConcatOp op) {
  Value whole = op.getResult();
  OperandPlace place{Space::Register, static_cast<int>(result.sizes.size()), 0,
                     false};
  result.sizes.push_back(elements(whole));
  uint32_t at = 0;
  for (Value input : op.getInputs()) {
    move(op, whole, elements(input), place, at, places.at(input),
         op->getName().getStringRef().str());
    at += elements(input);
  }
  places[whole] = place;
  return success();
}

// result[i] = input[(i - by) mod n]
LogicalResult Selector::select(dend::RollOp op) {
  Value whole = op.getResult();
  uint32_t row = rowWords(whole.getType()), words = elements(whole);
  int64_t count = words / row;
  int64_t by = static_cast<int64_t>(op.getBy()) % count;
  uint32_t shifted = static_cast<uint32_t>(by < 0 ? by + count : by) * row;
  OperandPlace input = places.at(op.getInput());
  if (shifted == 0 || input.scalar) {
    places[whole] = input;
    return success();
  }
  OperandPlace place{Space::Register, static_cast<int>(result.sizes.size()), 0,
                     false};
  result.sizes.push_back(words);
  std::string name = op->getName().getStringRef().str();
  move(op, whole, words - shifted, place, shifted, input, name);
  move(op, whole, shifted, place, 0, part(input, words - shifted), name);
  places[whole] = place;
  return success();
}

/// The state that a result of a region is nothing but the new value of, while
/// the region keeps the old one and nobody reads that later; -1 if there is
/// none. Such a state changes where it lies, or stays, which costs nothing.
int Selector::stateInPlace(dend::WhenOp op, unsigned number) {
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  Value kept = op.getCarried()[number], result = op.getResult(number),
        given = op.getBody().front().getTerminator()->getOperand(number);
  auto isName = [](Operation *of) { // its result may lie where its operand does
    auto scaled = dyn_cast_or_null<dend::RescaleOp>(of);
    return isa_and_nonnull<dend::SliceOp, dend::ElementOp, dend::SplatOp,
                           dend::RollOp>(of) ||
           (scaled && !scaled.getInput().getDefiningOp<dend::MulOp>());
  };
  while (isName(given.getDefiningOp()))
    given = given.getDefiningOp()->getOperand(0);
  auto state = llvm::find(model.getStateArgs(), kept);
  if (state == model.getStateArgs().end() || !result.hasOneUse() ||
      op->getBlock() != &model.getBlock() || isa<BlockArgument>(given))
    return -1;
  int index = int(state - model.getStateArgs().begin());
  if (yield.getStates()[size_t(index)] != result)
    return -1;
  // Other names of the old value may be read later, too.
  for (Operation *user : kept.getUsers()) {
    Operation *here = model.getBlock().findAncestorOpInBlock(*user);
    if (isName(user) || isa<dend::GiveOp>(user) ||
        (here != op && !here->isBeforeInBlock(op)))
      return -1;
  }
  return index;
}

/// The results take the kept values; where the condition holds, the region
/// runs and replaces them.
LogicalResult Selector::select(dend::WhenOp op) {
  Block &body = op.getBody().front();
  Operation *give = body.getTerminator();
  for (auto [i, value] : llvm::enumerate(op.getResults())) {
    if (!used.contains(value))
      continue;
    Value kept = op.getCarried()[i];
    if (stateInPlace(op, unsigned(i)) >= 0) {
      places[value] = places.at(kept);
      continue;
    }
    OperandPlace place{Space::Register, static_cast<int>(result.sizes.size()),
                       0, false};
    result.sizes.push_back(elements(value));
    move(op, value, elements(value), place, 0, places.at(kept), "kept");
    places[value] = place;
  }
  size_t skip = result.code.size();
  {
    VirtualInstruction &i = append(MicroOp::Skip, op, op.getCondition());
    i.code.n = 1;
    read(i, 0, op.getCondition(), false);
  }
  for (Operation &inner : body.without_terminator())
    if (failed(select(inner)))
      return failure();
  for (auto [given, value] :
       llvm::zip_equal(give->getOperands(), op.getResults()))
    if (used.contains(value))
      move(op, value, elements(value), places.at(value), 0, places.at(given),
           "given");
  result.code[skip].code.m =
      static_cast<uint32_t>(result.code.size() - skip - 1);
  return success();
}

/// Whether a region has put the new value of a state in its place.
bool Selector::isInPlace(Value value, const OperandPlace &state) {
  const OperandPlace &its = places.at(value);
  return value.getDefiningOp<dend::WhenOp>() && its.space == Space::State &&
         its.offset == state.offset;
}

/// Emissions read old states too, and one state's new value may be another's
/// old one. So copies are made first, then emissions leave, then the new states
/// are stored.
void Selector::finish() {
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  SmallVector<std::pair<OperandPlace, unsigned>> stores;
  for (auto [s, value] : llvm::enumerate(yield.getStates())) {
    OperandPlace place = places.at(value);
    Value state = model.getStateArgs()[s];
    if (value == state || isInPlace(value, places.at(state)))
      continue;
    if (place.space == Space::State) {
      OperandPlace copy{Space::Register, static_cast<int>(result.sizes.size()),
                        0, false};
      result.sizes.push_back(elements(value));
      move(yield, value, elements(value), copy, 0, place, "copy");
      place = copy;
    }
    stores.push_back({place, unsigned(s)});
  }
  for (auto [o, value] : llvm::enumerate(yield.getEmitted())) {
    VirtualInstruction &i = append(MicroOp::Emit, yield, value);
    i.name = model.getOutput(o).getName().getValue().str();
    i.code.m = static_cast<uint32_t>(o);
    read(i, 0, value, false);
  }
  for (auto [place, s] : stores) {
    Value state = model.getStateArgs()[s];
    move(yield, state, elements(state), places.at(state), 0, place,
         model.getState(s).getName().getValue().str());
  }
}

} // namespace dendrolith
