// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/Places.h"

#include <algorithm>

namespace dendrolith::native::body {

using namespace mlir;

/// Whether the op reads each element of the operand once.
static bool readsOnce(OpOperand &use) {
  Operation *op = use.getOwner();
  const unsigned o = use.getOperandNumber();
  if (isa<dend::FireOp>(op)) // once for each result
    return false;
  if (isPointwise(op))
    return sizeOf(use.get()) == sizeOf(op->getResult(0));
  if (isa<dend::GiveOp>(op) || isCall(op))
    return true;
  if (auto yield = dyn_cast<dend::YieldOp>(op))
    return o >= yield.getStates().size(); // what is emitted
  if (isa<dend::WhenOp>(op))
    return o > 0;
  if (isa<dend::VecMatOp>(op))
    return o == 1;
  return addsOuter(op) && o == 0;
}

Places::Places(dend::NeuronOp model, int64_t lanes)
    : lanes(lanes), model(model) {
  layArguments();
  layFixed();
  layResults();
}

void Places::rename(Value from, Value to) {
  places[to] = places.lookup(from);
  if (given.contains(from))
    given.insert(to);
  std::replace(olds.begin(), olds.end(), from, to);
}

int64_t Places::take(Space space, int64_t count) {
  const int64_t first = words[space];
  words[space] += count;
  return first;
}

void Places::layArguments() {
  dend::NeuronOp op = model;
  for (Value port : op.getPortArgs())
    places[port] = {Place::Kind::Memory, Ports, take(Ports, wordsOf(port))};
  for (Value state : op.getStateArgs()) {
    olds.push_back(state);
    places[state] = {Place::Kind::Memory, States, take(States, wordsOf(state))};
  }
  for (Value param : op.getParamArgs())
    given.insert(param);
  op.getBlock().walk([&](dend::LiteralOp literal) { given.insert(literal); });
  auto yield = cast<dend::YieldOp>(op.getBlock().getTerminator());
  for (Value emitted : yield.getEmitted())
    words[Emitted] += wordsOf(emitted);
}

/// Values that no update changes lie in memory if something reads them that
/// is computed at every update.
void Places::layFixed() {
  const std::vector<Value> values = dend::bodyValues(model);
  const std::vector<dend::Depends> depends = dend::dependenciesOf(model);
  for (unsigned i = 0; i < values.size(); ++i)
    if (depends[i] != dend::Depends::OnState)
      fixed[values[i]] = i;
  for (unsigned i = 0; i < values.size(); ++i) {
    const Value value = values[i];
    auto isRead = [&](Operation *user) {
      return user->getNumResults() == 0 || !isFixed(user->getResult(0));
    };
    if (!isFixed(value) || llvm::none_of(value.getUsers(), isRead))
      continue;
    // Where elements lie side by side, a product goes down the columns.
    auto multiplies = [](OpOperand &use) {
      return isa<dend::MatVecOp>(use.getOwner()) && use.getOperandNumber() == 0;
    };
    const bool turned = lanes == 1 && llvm::all_of(value.getUses(), multiplies);
    const int64_t columns = turned ? dend::shapeOf(value.getType()).back() : 0;
    const bool isShared = depends[i] == dend::Depends::OnShared;
    const Space space = isShared ? Shared : Own;
    (isShared ? shared : own).push_back({i, columns});
    places[value] = {Place::Kind::Memory, space, take(space, wordsOf(value)),
                     columns};
  }
}

bool Places::isLazy(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || isFixed(value) || wordsOf(value) <= few())
    return false;
  return isa<dend::SplatOp>(op) || (isPointwise(op) && value.hasOneUse() &&
                                    readsOnce(*value.getUses().begin()));
}

/// Whether the use, and every later one of a lazy result, is before `last`, or
/// reads an element when `last` writes result `result` at the same index.
bool Places::endsAt(OpOperand &use, Operation *last, unsigned result) const {
  Operation *op = use.getOwner();
  const unsigned o = use.getOperandNumber();
  if (op == last && !isa<dend::WhenOp>(op))
    return isa<dend::BranchOp>(op) || addsOuter(op)
               ? o == 0
               : sizeOf(use.get()) == sizeOf(op->getResult(0));
  if (op == last)
    return o == result + 1; // what is carried
  if (isa<dend::YieldOp>(op))
    return false;
  Operation *at = last->getBlock()->findAncestorOpInBlock(*op);
  if (isa<dend::GiveOp>(op) && at == last)
    return o == result;
  if (at != last && !at->isBeforeInBlock(last))
    return false;
  for (Value made : op->getResults()) {
    const bool isPart =
        isa<dend::SliceOp, dend::ElementOp>(op) && wordsOf(made) > few();
    if (isPart)
      return false;
    if (isLazy(made))
      for (OpOperand &next : made.getUses())
        if (!endsAt(next, last, result))
          return false;
  }
  return true;
}

bool Places::becomesInPlace(unsigned state) const {
  dend::NeuronOp op = model;
  auto yield = cast<dend::YieldOp>(op.getBlock().getTerminator());
  const Value value = yield.getStates()[state], old = op.getStateArgs()[state];
  Operation *last = value.getDefiningOp();
  if (!last || isFixed(value) || llvm::count(yield.getStates(), value) > 1)
    return false;
  if (isa<dend::BranchOp>(last)) {
    if (value != last->getResult(0))
      return false;
  } else if (wordsOf(value) <= few() ||
             !(isPointwise(last) || addsOuter(last) ||
               isa<dend::WhenOp>(last)) ||
             isa<dend::SplatOp, dend::FireOp>(last)) {
    return false;
  }
  const unsigned result = cast<OpResult>(value).getResultNumber();
  // A region that is skipped leaves in place what it carries.
  if (isa<dend::WhenOp>(last) && last->getOperand(result + 1) != old)
    return false;
  for (OpOperand &use : Value(old).getUses())
    if (!endsAt(use, last, result))
      return false;
  return true;
}

void Places::layResults() {
  dend::NeuronOp op = model;
  auto yield = cast<dend::YieldOp>(op.getBlock().getTerminator());
  const unsigned count = unsigned(op.getStateArgs().size());
  for (unsigned s = 0; s < count; ++s) {
    inPlace.push_back(becomesInPlace(s));
    if (inPlace[s])
      places[yield.getStates()[s]] = places.lookup(op.getStateArgs()[s]);
  }
  op.getBlock().walk<WalkOrder::PreOrder>([&](Operation *each) {
    for (Value value : each->getResults()) {
      if (isFixed(value) || places.contains(value))
        continue;
      Place &place = places[value];
      const bool isBranch =
          isa<dend::BranchOp>(each) && value == each->getResult(0);
      if (wordsOf(value) <= few() && !isBranch) {
        place.kind = Place::Kind::Registers;
      } else if (isLazy(value)) {
        place.kind = Place::Kind::Lazy;
      } else if (isa<dend::SliceOp, dend::ElementOp>(each)) {
        const Value input = each->getOperand(0);
        const int64_t first = isa<dend::SliceOp>(each)
                                  ? cast<dend::SliceOp>(each).getOffset()
                                  : cast<dend::ElementOp>(each).getIndex();
        place = places.lookup(input);
        place.word +=
            first * (wordsOf(input) / dend::shapeOf(input.getType()).front());
      } else {
        place.word = take(Scratch, wordsOf(value));
      }
    }
    auto branch = dyn_cast<dend::BranchOp>(each);
    if ((branch && branch.getActivation() == dend::Activation::Tanh) ||
        (isCall(each) && wordsOf(each->getResult(0)) <= few()))
      spare[each] = take(Scratch, wordsOf(each->getResults().back()));
  });
  for (unsigned s = 0; s < count; ++s) {
    const Value value = yield.getStates()[s];
    const Place next = places.lookup(value);
    const bool isOld = next.kind == Place::Kind::Memory &&
                       next.space == States && !inPlace[s] &&
                       value != op.getStateArgs()[s];
    spareOfState.push_back(isOld ? take(Scratch, wordsOf(value)) : -1);
  }
}

} // namespace dendrolith::native::body
