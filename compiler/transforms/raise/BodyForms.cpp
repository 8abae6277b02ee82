// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/BodyForms.h"

#include "llvm/ADT/TypeSwitch.h"

namespace dendrolith {

using namespace mlir;

// Products of conditions can double the terms with each operation.
constexpr size_t kMostTerms = 64;
// A population may claim more neurons than there is memory for.
constexpr uint64_t kMostNeurons = uint64_t(1) << 26;

static AffineForm opposite(const AffineForm &truth) {
  return AffineForm::constant({1}).plus(truth, {-1});
}

BodyForms::BodyForms(BoundModel &model) {
  dend::NeuronOp neuron = model.model;
  // States first: the first atom of a difference decides on its sign.
  for (ArrayRef<BlockArgument> arguments :
       {neuron.getStateArgs(), neuron.getPortArgs()})
    for (BlockArgument argument : arguments)
      if (argument.getType().isF64())
        forms[argument] = newAtom(argument);
      else if (argument.getType().isInteger(1))
        forms[argument] = newCondition(argument);
  for (BlockArgument argument : neuron.getParamArgs())
    if (argument.getType().isF64())
      forms[argument] = parameter(model, argument);
    else if (argument.getType().isInteger(1))
      forms[argument] = newCondition(argument);
  for (Operation &op : neuron.getBlock().without_terminator())
    visit(&op);
}

const AffineForm *BodyForms::of(Value value) const {
  auto found = forms.find(value);
  return found == forms.end() ? nullptr : &found->second;
}

unsigned BodyForms::atomOf(Value value) const {
  auto found = llvm::find(atoms, value);
  return found == atoms.end() ? AffineForm::kOne
                              : unsigned(found - atoms.begin()) + 1;
}

AffineForm BodyForms::newAtom(Value value) {
  atoms.push_back(value);
  return AffineForm::atom(unsigned(atoms.size()));
}

AffineForm BodyForms::newCondition(Value value) {
  conditions.push_back({AffineForm(), false, value});
  return AffineForm::condition(unsigned(conditions.size()) - 1);
}

/// The numbers of a parameter for the neurons of all populations, one behind
/// the other; one where they are equal, however many neurons there are.
AffineForm BodyForms::parameter(BoundModel &model, Value value) {
  if (!model.hasElements(value))
    return newAtom(value);
  std::vector<BoundRows> all;
  uint64_t neurons = 0;
  for (dend::PopulationOp population : model.populations) {
    all.push_back(model.rows(population, value));
    neurons += population.getSize();
  }
  const double first = all.front().values.front();
  if (llvm::all_of(all, [&](const BoundRows &rows) {
        return allAre(rows.values, first);
      }))
    return AffineForm::constant({first});
  if (neurons > kMostNeurons)
    return newAtom(value);
  PerNeuron numbers;
  for (auto [population, rows] : llvm::zip(model.populations, all))
    for (int64_t n = 0; n < int64_t(population.getSize()); ++n)
      numbers.push_back(rows.row(n).front());
  return AffineForm::constant(numbers);
}

void BodyForms::visit(Operation *op) {
  if (auto fire = dyn_cast<dend::FireOp>(op))
    if (fire.getNext().getType().isF64())
      return fired(fire);
  for (Value result : op->getResults()) {
    std::optional<AffineForm> form;
    if (result.getType().isF64()) {
      form = real(op);
      if (!form || form->terms.size() > kMostTerms)
        form = newAtom(result);
    } else if (result.getType().isInteger(1)) {
      form = truth(op);
      if (!form || form->terms.size() > kMostTerms)
        form = newCondition(result);
    } else {
      continue;
    }
    forms[result] = std::move(*form);
  }
}

std::optional<AffineForm> BodyForms::real(Operation *op) {
  // Operands of another type have no form: no op below takes them.
  for (Value operand : op->getOperands())
    if (!of(operand))
      return std::nullopt;
  auto at = [&](unsigned i) -> const AffineForm & {
    return *of(op->getOperand(i));
  };
  using Result = std::optional<AffineForm>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](dend::LiteralOp literal) -> Result {
        auto number = dyn_cast<FloatAttr>(literal.getValue());
        if (!number)
          return std::nullopt;
        return AffineForm::constant({number.getValueAsDouble()});
      })
      .Case([&](dend::AddOp) -> Result { return at(0).plus(at(1)); })
      .Case([&](dend::SubOp) -> Result { return at(0).plus(at(1), {-1}); })
      .Case([&](dend::NegOp) -> Result { return at(0).scaled({-1}); })
      .Case([&](dend::MulOp) { return at(0).times(at(1)); })
      .Case([&](dend::DivOp div) { return quotientOf(div); })
      .Case([&](dend::SelectOp select) {
        return chosen(select.getCondition(), at(1), at(2));
      })
      .Case([&](dend::ToRealOp) -> Result { return at(0); })
      .Case([&](dend::CompartmentOp one) { return compartment(one); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

std::optional<AffineForm> BodyForms::quotientOf(dend::DivOp op) {
  auto divisor = of(op.getRhs())->asConstant();
  if (!divisor)
    return std::nullopt;
  for (double number : *divisor)
    if (number == 0)
      return std::nullopt;
  AffineForm form;
  for (const auto &[term, numbers] : of(op.getLhs())->terms)
    form.terms[term] = dividedBy(numbers, *divisor);
  return form;
}

/// no + condition * (yes - no)
std::optional<AffineForm> BodyForms::chosen(Value condition,
                                            const AffineForm &yes,
                                            const AffineForm &no) {
  auto more = of(condition)->times(yes.plus(no, {-1}));
  if (!more)
    return std::nullopt;
  return no.plus(*more);
}

std::optional<AffineForm> BodyForms::compartment(dend::CompartmentOp op) {
  auto kept = of(op.getKeep())->times(*of(op.getState()));
  auto driven = std::optional<AffineForm>(*of(op.getDrive()));
  if (op.getGain())
    driven = of(op.getGain())->times(*driven);
  if (!kept || !driven)
    return std::nullopt;
  AffineForm sum = kept->plus(*driven);
  return op.getOffset() ? sum.plus(*of(op.getOffset())) : sum;
}

void BodyForms::fired(dend::FireOp op) {
  Value potential = op.getPotential(), threshold = op.getThreshold();
  AffineForm difference = of(potential)->plus(*of(threshold), {-1});
  AffineForm spike = newCondition(op.getSpike());
  conditions.back().difference = std::move(difference);
  conditions.back().inclusive = op.getInclusive();
  AffineForm after;
  if (op.getReset() == dend::ResetKind::Subtract)
    after = of(potential)->plus(*of(threshold), {-1});
  else if (op.getReset() == dend::ResetKind::None)
    after = *of(potential);
  else if (op.getTo())
    after = *of(op.getTo());
  forms[op.getSpike()] = spike;
  std::optional<AffineForm> next = chosen(op.getSpike(), after, *of(potential));
  forms[op.getNext()] = next ? std::move(*next) : newAtom(op.getNext());
}

std::optional<AffineForm> BodyForms::truth(Operation *op) {
  if (auto literal = dyn_cast<dend::LiteralOp>(op)) {
    auto number = dyn_cast<IntegerAttr>(literal.getValue());
    if (!number)
      return std::nullopt;
    return AffineForm::constant({number.getValue().isZero() ? 0.0 : 1.0});
  }
  for (Value operand : op->getOperands())
    if (!of(operand))
      return std::nullopt;
  if (auto cmp = dyn_cast<dend::CmpOp>(op))
    return compared(cmp);
  if (auto least = dyn_cast<dend::MinOp>(op))
    return of(least.getLhs())->times(*of(least.getRhs()));
  if (auto most = dyn_cast<dend::MaxOp>(op))
    return chosen(most.getLhs(), AffineForm::constant({1}), *of(most.getRhs()));
  if (auto select = dyn_cast<dend::SelectOp>(op))
    return chosen(select.getCondition(), *of(select.getYes()),
                  *of(select.getNo()));
  return std::nullopt;
}

/// A comparison as a condition whose first atom has the number 1, or as the
/// opposite of one. One that the body has already is not made anew.
AffineForm BodyForms::compared(dend::CmpOp op) {
  const dend::Predicate p = op.getPredicate();
  const bool below = p == dend::Predicate::LT || p == dend::Predicate::LE;
  Condition made;
  made.difference = of(op.getLhs())->plus(*of(op.getRhs()), {-1});
  made.inclusive = p == dend::Predicate::GE || p == dend::Predicate::LE;
  if (below)
    made.difference = made.difference.scaled({-1});
  const AffineForm atoms = made.difference.unconditional().withoutConstant();
  if (p == dend::Predicate::EQ || p == dend::Predicate::NE ||
      !op.getLhs().getType().isF64() || atoms.isZero())
    return newCondition(op.getResult());
  const PerNeuron lead = atoms.terms.begin()->second;
  const bool turned = allPositive(scaledBy(lead, {-1}));
  if (!turned && !allPositive(lead))
    return newCondition(op.getResult());
  AffineForm unit;
  for (const auto &[term, numbers] : made.difference.terms)
    unit.terms[term] = dividedBy(numbers, lead);
  made.difference = std::move(unit);
  made.inclusive ^= turned; // -d > 0 is not d >= 0
  if (!turned)
    made.value = op.getResult();
  unsigned at = 0;
  while (at < conditions.size() &&
         !(conditions[at].inclusive == made.inclusive &&
           !conditions[at].difference.isZero() &&
           conditions[at].difference.sameAs(made.difference)))
    ++at;
  if (at == conditions.size())
    conditions.push_back(made);
  else if (!conditions[at].value)
    conditions[at].value = made.value;
  AffineForm truth = AffineForm::condition(at);
  return turned ? opposite(truth) : truth;
}

} // namespace dendrolith
