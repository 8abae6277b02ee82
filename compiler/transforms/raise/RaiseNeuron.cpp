// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/RaiseNeuron.h"

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/raise/AdvanceReset.h"
#include "compiler/transforms/raise/FormWriter.h"
#include "compiler/transforms/raise/MergePorts.h"
#include "compiler/transforms/raise/RaiseBranches.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>

namespace dendrolith {
#define GEN_PASS_DEF_DENDRAISESTRUCTURE
#include "compiler/transforms/Passes.h.inc"

using namespace mlir;

namespace {

/// A drive with its gain.
using Drive = std::pair<Value, PerNeuron>;

class Raiser {
public:
  explicit Raiser(BoundModel &model)
      : model(model), yield(yieldOf(model.model)), forms(model),
        write(model, forms) {}

  /// Whether the body has changed.
  bool run();

private:
  YieldForms yieldForms();
  void compartment(RaisedState &state);
  std::vector<Drive> drivesOf(AffineForm &rest, unsigned own) const;
  Value driveOf(const std::vector<Drive> &drives, PerNeuron &gain,
                StringRef name);
  bool fire(RaisedState &state, const AffineForm &form, Value potential,
            bool adapts = false);
  bool fireHeld(RaisedState &state);
  void thresholds(ArrayRef<RaisedState *> order);
  bool replace(unsigned place, const std::optional<AffineForm> &form);
  bool finish(const SmallVector<Value> &before, bool all, bool replaced);
  void undo(const SmallVector<Value> &before);

  StringRef nameOf(const RaisedState &state) {
    return model.model.getState(state.index).getName().getValue();
  }

  BoundModel &model;
  dend::YieldOp yield;
  BodyForms forms;
  FormWriter write;
};

YieldForms Raiser::yieldForms() {
  YieldForms found;
  for (Value value : yield->getOperands()) {
    const bool scalar = !isa<ShapedType>(value.getType());
    const AffineForm *form = scalar ? forms.of(value) : nullptr;
    found.all.push_back(form ? std::optional<AffineForm>(*form) : std::nullopt);
  }
  for (auto [i, argument] : llvm::enumerate(model.model.getStateArgs()))
    if (argument.getType().isF64())
      found.states.push_back(
          {unsigned(i), forms.atomOf(argument), *found.all[i], Value()});
  return found;
}

/// What drives the compartment of a state; that and the constant are left of
/// `rest`. Where a share of it is another compartment's new value, that stands
/// for its old value and what came in.
std::vector<Drive> Raiser::drivesOf(AffineForm &rest, unsigned own) const {
  std::vector<Drive> drives;
  for (const KnownValue &one : write.values) {
    if (one.state == AffineForm::kOne || !rest.mentions(one.state) ||
        !allPositive(one.form.of(one.state)))
      continue;
    const PerNeuron share =
        dividedBy(rest.of(one.state), one.form.of(one.state));
    AffineForm less = rest.plus(one.form, scaledBy(share, {-1}));
    if (less.terms.size() + 1 >= rest.terms.size() || allAre(less.of(own), 0))
      continue;
    drives.push_back({one.value, share});
    rest = std::move(less);
  }
  for (const auto &[term, numbers] : rest.terms)
    if (term.second != AffineForm::kOne && term.second != own)
      drives.push_back({forms.atom(term.second), numbers});
  return drives;
}

/// One drive for several; they share a gain where it is the same for all.
Value Raiser::driveOf(const std::vector<Drive> &drives, PerNeuron &gain,
                      StringRef name) {
  gain = drives.front().second;
  const bool shared = llvm::all_of(
      drives, [&](const Drive &one) { return agree(one.second, gain); });
  Value sum;
  for (const Drive &one : drives)
    sum = write.plusTerm(sum, one.first, shared ? PerNeuron{1} : one.second,
                         name + "_gain");
  if (!shared)
    gain = {1};
  return sum;
}

/// v' = keep v + gain drive + offset
void Raiser::compartment(RaisedState &state) {
  const AffineForm whole = state.next.unconditional();
  AffineForm rest = whole;
  const std::vector<Drive> drives = drivesOf(rest, state.atom);
  PerNeuron keep = rest.of(state.atom);
  if (allAre(keep, 0) || drives.empty())
    return;
  if (agree(keep, {1}))
    keep = {1};
  const PerNeuron offset = rest.of(AffineForm::kOne);
  const StringRef name = nameOf(state);
  write.place = yield.getStates()[state.index].getLoc();
  PerNeuron gain;
  Value drive = driveOf(drives, gain, name);
  Value kept = write.number(keep, name + "_keep");
  Value gained = allAre(gain, 1) ? Value() : write.number(gain, name + "_gain");
  Value added =
      allAre(offset, 0) ? Value() : write.number(offset, name + "_offset");
  OpBuilder builder(yield);
  state.potential = dend::CompartmentOp::create(
      builder, write.place, Type(builder.getF64Type()), forms.atom(state.atom),
      drive, kept, gained, added);
  write.values.push_back({whole, state.potential, state.atom});
}

/// Whether it is made of numbers and, where it may adapt, at most one value
/// that `form` is not made of.
static bool isThreshold(const AffineForm &theta, const AffineForm &form,
                        bool adapts) {
  for (const auto &[term, numbers] : theta.terms)
    if (!term.first.empty() ||
        (term.second != AffineForm::kOne && form.mentions(term.second)))
      return false;
  return theta.withoutConstant().terms.size() <= (adapts ? 1 : 0);
}

/// Whether a threshold reads `form`, whose value is `potential`; then the state
/// behind its reset is known as well.
bool Raiser::fire(RaisedState &state, const AffineForm &form, Value potential,
                  bool adapts) {
  const StringRef name = nameOf(state);
  for (unsigned c = 0; c < forms.conditions.size(); ++c) {
    const Condition &condition = forms.conditions[c];
    auto theta = thresholdOn(form, condition, state.atom);
    if (!theta || write.truths.count(c) || !isThreshold(*theta, form, adapts))
      continue;
    const std::vector<unsigned> own = state.next.conditions();
    const AffineForm change = state.next.under({c});
    auto to = form.plus(change).asConstant();
    dend::ResetKind kind = dend::ResetKind::None;
    if (form.conditions().empty() && own == std::vector<unsigned>{c})
      kind =
          to ? dend::ResetKind::Value
          : change.plus(*theta).isZero() || change.scaled({-1}).sameAs(*theta)
              ? dend::ResetKind::Subtract
              : dend::ResetKind::None;
    Value limit = write.valueOf(*theta, (name + "_theta").str());
    if (!limit)
      continue;
    const bool toZero = kind != dend::ResetKind::Value || allAre(*to, 0);
    OpBuilder builder(yield);
    auto op = dend::FireOp::create(
        builder, write.place, builder.getI1Type(), builder.getF64Type(),
        potential, limit, toZero ? Value() : write.number(*to, name + "_reset"),
        kind, condition.inclusive);
    write.truths[c] = op.getSpike();
    if (kind != dend::ResetKind::None)
      write.values.push_back({state.next, op.getNext(), AffineForm::kOne});
    return true;
  }
  return false;
}

/// `form`, or a number where a condition holds.
static std::optional<AffineForm> heldAt(const PerNeuron &to, unsigned condition,
                                        const AffineForm &form) {
  auto change = AffineForm::condition(condition).times(
      AffineForm::constant(to).plus(form, {-1}));
  if (!change)
    return std::nullopt;
  return form.plus(*change);
}

/// Whether the potential is held at a number where a condition on other states
/// holds, as a count of silent steps is, and its threshold reads what is held.
bool Raiser::fireHeld(RaisedState &state) {
  const AffineForm free = state.next.unconditional();
  const std::vector<unsigned> conditions = state.next.conditions();
  auto numberUnder = [&](unsigned condition) {
    return free.plus(state.next.under({condition})).asConstant();
  };
  for (unsigned c : conditions) {
    const auto rest = numberUnder(c);
    if (!rest || forms.conditions[c].difference.mentions(state.atom))
      continue;
    const auto held = heldAt(*rest, c, free);
    for (unsigned s : conditions) {
      const auto to = s == c ? std::nullopt : numberUnder(s);
      if (!held || !to || write.truths.count(s))
        continue;
      const auto theta = thresholdOn(*held, forms.conditions[s], state.atom);
      const auto next = heldAt(*to, s, *held);
      if (!theta || !isThreshold(*theta, *held, false) || !next ||
          !next->sameAs(state.next))
        continue;
      const std::string name = nameOf(state).str();
      Value holds = write.truthOf(c, name + "_hold");
      Value limit = write.valueOf(*theta, name + "_theta");
      if (!holds || !limit)
        continue;
      Value potential = write.body().select(
          holds, write.number(*rest, name + "_rest"), state.potential);
      OpBuilder builder(yield);
      auto op = dend::FireOp::create(
          builder, write.place, builder.getI1Type(), builder.getF64Type(),
          potential, limit,
          allAre(*to, 0) ? Value() : write.number(*to, name + "_reset"),
          dend::ResetKind::Value, forms.conditions[s].inclusive);
      write.truths[s] = op.getSpike();
      write.values.push_back({state.next, op.getNext(), AffineForm::kOne});
      return true;
    }
  }
  return false;
}

/// Puts a value of the form into the yield; whether there is one.
bool Raiser::replace(unsigned i, const std::optional<AffineForm> &form) {
  OpOperand &operand = yield->getOpOperand(i);
  if (!form)
    return false;
  write.place = operand.get().getLoc();
  const bool state = i < yield.getStates().size();
  Value made;
  if (operand.get().getType().isInteger(1)) {
    const std::vector<unsigned> conditions = form->conditions();
    if (conditions.size() == 1 &&
        form->sameAs(AffineForm::condition(conditions[0])))
      made = write.truthOf(conditions[0], "theta");
  } else {
    made = state ? write.valueOf(*form,
                                 model.model.getState(i).getName().getValue())
                 : write.known(*form);
  }
  if (!made)
    return false;
  operand.set(made);
  return true;
}

void Raiser::undo(const SmallVector<Value> &before) {
  yield->setOperands(before);
  write.undo();
}

bool Raiser::finish(const SmallVector<Value> &before, bool all, bool replaced) {
  const SmallVector<Value> after(yield->getOperands());
  const BodySize was = sizeOfBody(before), is = sizeOfBody(after);
  // Gains cost nothing in a neuron that has them in its weights.
  if ((all && !replaced) || is.structure <= was.structure ||
      (is.operations > was.operations && !is.fixedFunction)) {
    undo(before);
    return false;
  }
  write.eraseUnused();
  return true;
}

/// Numbers before what adapts, since a difference of two states is a threshold
/// on either; a state behind a late reset last.
void Raiser::thresholds(ArrayRef<RaisedState *> order) {
  llvm::DenseSet<const RaisedState *> fired;
  for (bool adapts : {false, true})
    for (RaisedState *state : order) {
      if (!state->potential || fired.count(state))
        continue;
      write.place = yield.getStates()[state->index].getLoc();
      if (fire(*state, state->next.unconditional(), state->potential, adapts))
        fired.insert(state);
    }
  for (RaisedState *state : order) {
    if (!state->potential || fired.count(state))
      continue;
    write.place = yield.getStates()[state->index].getLoc();
    if (fireHeld(*state))
      continue;
    if (Value next = write.valueOf(state->next, nameOf(*state))) {
      write.values.push_back({state->next, next, AffineForm::kOne});
      fire(*state, state->next, next);
    }
  }
}

bool Raiser::run() {
  YieldForms yields = yieldForms();
  const SmallVector<Value> before(yield->getOperands());
  const bool advanced = advanceResets(model, forms, yields);
  // A current before the membrane that reads it.
  std::vector<RaisedState *> order;
  for (RaisedState &state : yields.states)
    order.push_back(&state);
  llvm::stable_sort(order, [](const RaisedState *a, const RaisedState *b) {
    return a->next.unconditional().terms.size() <
           b->next.unconditional().terms.size();
  });
  for (RaisedState *state : order)
    compartment(*state);
  thresholds(order);
  bool replaced = true;
  for (unsigned i = 0; i < yields.all.size(); ++i)
    replaced &= replace(i, yields.all[i]);
  return finish(before, advanced, replaced);
}

/// Whether a body has what can be raised: a real state, and arithmetic.
bool isCandidate(dend::NeuronOp model) {
  return llvm::any_of(
             model.getStateArgs(),
             [](BlockArgument state) { return state.getType().isF64(); }) &&
         llvm::any_of(model.getBlock(), [](Operation &op) {
           return isa<dend::AddOp, dend::SubOp>(op) &&
                  op.getResult(0).getType().isF64();
         });
}

} // namespace

void raiseNeuron(dend::NeuronOp op) {
  BoundModel model(op);
  if (model.populations.empty())
    return;
  bool raised = raiseStates(model, /*vectors=*/true);
  if (isCandidate(op) && Raiser(model).run()) {
    raised = true;
    mergePorts(model);
  }
  // What is left, as traces are that no threshold reads.
  raised |= raiseStates(model, /*vectors=*/false);
  if (!raised)
    return;
  // What was said of the arithmetic.
  op.removeNotCubaAttr();
  op.removePolesAttr();
}

namespace {

struct DendRaiseStructurePass
    : impl::DendRaiseStructureBase<DendRaiseStructurePass> {
  void runOnOperation() override {
    for (auto model :
         llvm::make_early_inc_range(getOperation().getOps<dend::NeuronOp>()))
      raiseNeuron(model);
  }
};

} // namespace

} // namespace dendrolith
