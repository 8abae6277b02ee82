// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reset at the head of the next step (snnTorch's "zero") as one at the end of
// this step. With m' = k m + I, or k r + I where m > theta, the state
// w = m, or r where m > theta, has the same spikes: m' = k w + I.

#include "compiler/transforms/raise/AdvanceReset.h"

#include "dialects/dend/Constants.h"

#include <functional>

namespace dendrolith {

using namespace mlir;

std::optional<AffineForm>
thresholdOn(const AffineForm &form, const Condition &condition, unsigned atom) {
  if (condition.difference.isZero())
    return std::nullopt;
  const PerNeuron number = condition.difference.of(atom);
  for (double each : number)
    if (each == 0)
      return std::nullopt;
  const PerNeuron ratio = dividedBy(form.of(atom), number);
  if (!allPositive(ratio))
    return std::nullopt;
  AffineForm theta = form.plus(condition.difference.scaled(ratio), {-1});
  // What is left by rounding is no part of it.
  for (auto at = theta.terms.begin(); at != theta.terms.end();) {
    auto of = form.terms.find(at->first);
    const bool noise =
        of != form.terms.end() && at->first.second != AffineForm::kOne &&
        agree(of->second, combine(of->second, at->second, std::minus<>()));
    at = noise ? theta.terms.erase(at) : std::next(at);
  }
  return theta;
}

namespace {

/// The states' initial values, in the order of the populations' neurons; none
/// where they cannot be read.
std::optional<PerNeuron> startOf(const BoundModel &model, unsigned state) {
  Attribute init = dend::NeuronOp(model.model).getState(state).getInit();
  if (!init)
    return PerNeuron{0};
  if (auto number = dyn_cast<FloatAttr>(init))
    return PerNeuron{number.getValueAsDouble()};
  auto values = dend::readReals(model.model, init);
  if (failed(values) || model.populations.size() != 1)
    return std::nullopt;
  return *values;
}

/// A reset at the head of a step: k (to) in place of k (state) where a
/// condition on the old state holds.
struct LateReset {
  unsigned condition;
  PerNeuron theta, to;
};

std::optional<LateReset> lateReset(const BodyForms &forms,
                                   const RaisedState &state) {
  const std::vector<unsigned> conditions = state.next.conditions();
  if (conditions.size() != 1)
    return std::nullopt;
  const Condition &condition = forms.conditions[conditions[0]];
  const AffineForm old = AffineForm::atom(state.atom);
  auto theta = thresholdOn(old, condition, state.atom);
  auto limit = theta ? theta->asConstant() : std::nullopt;
  const PerNeuron keep = state.next.of(state.atom);
  auto constant = state.next.under(conditions).plus(old, keep).asConstant();
  for (double each : keep)
    if (each == 0)
      return std::nullopt;
  if (!limit || !constant)
    return std::nullopt;
  return LateReset{conditions[0], *limit, dividedBy(*constant, keep)};
}

bool startsBelow(const BoundModel &model, unsigned state,
                 const PerNeuron &theta, bool inclusive) {
  auto start = startOf(model, state);
  return start && allAre(combine(*start, theta,
                                 [&](double v, double limit) {
                                   return (inclusive ? v < limit : v <= limit)
                                              ? 1.0
                                              : 0.0;
                                 }),
                         1);
}

/// The condition that the new value is above the same threshold.
std::optional<unsigned> spikeOf(const BodyForms &forms,
                                const RaisedState &state,
                                const LateReset &reset) {
  for (unsigned i = 0; i < forms.conditions.size(); ++i) {
    auto theta = thresholdOn(state.next, forms.conditions[i], state.atom);
    auto limit = theta ? theta->asConstant() : std::nullopt;
    if (limit && agree(*limit, reset.theta) &&
        forms.conditions[i].inclusive ==
            forms.conditions[reset.condition].inclusive)
      return i;
  }
  return std::nullopt;
}

/// Whether all that the yield names but the state's next value is made of
/// inputs and other states, and of no condition but the spike.
bool readsOnly(const BodyForms &forms, const YieldForms &yields,
               const RaisedState &state, unsigned spike) {
  for (size_t i = 0; i < yields.all.size(); ++i) {
    const auto &form = yields.all[i];
    if (!form)
      return false;
    for (const auto &[term, numbers] : form->terms)
      if (term.second != AffineForm::kOne &&
          !isa<BlockArgument>(forms.atom(term.second)))
        return false;
    if (i == state.index || form->sameAs(state.next))
      continue;
    const std::vector<unsigned> conditions = form->conditions();
    if (form->mentions(state.atom) ||
        llvm::any_of(conditions, [&](unsigned c) { return c != spike; }))
      return false;
  }
  return true;
}

bool advanceReset(const BoundModel &model, BodyForms &forms, YieldForms &yields,
                  RaisedState &state) {
  auto reset = lateReset(forms, state);
  if (!reset || model.isProbed(state.index) ||
      !startsBelow(model, state.index, reset->theta,
                   forms.conditions[reset->condition].inclusive))
    return false;
  auto spike = spikeOf(forms, state, *reset);
  if (!spike || *spike == reset->condition ||
      !readsOnly(forms, yields, state, *spike))
    return false;
  const AffineForm before = state.next, potential = before.unconditional();
  Condition &fires = forms.conditions[*spike];
  fires.difference = potential.plus(AffineForm::constant(reset->theta), {-1});
  fires.value = Value();
  auto after = AffineForm::condition(*spike).times(
      AffineForm::constant(reset->to).plus(potential, {-1}));
  for (size_t i = 0; i < yields.all.size(); ++i)
    if (i != state.index && yields.all[i]->sameAs(before))
      yields.all[i] = potential;
  state.next = potential.plus(*after);
  yields.all[state.index] = state.next;
  return true;
}

} // namespace

bool advanceResets(const BoundModel &model, BodyForms &forms,
                   YieldForms &yields) {
  bool any = false;
  for (RaisedState &state : yields.states)
    any |= advanceReset(model, forms, yields, state);
  return any;
}

} // namespace dendrolith
