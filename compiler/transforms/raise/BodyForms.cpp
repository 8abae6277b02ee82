// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/BodyForms.h"

#include "llvm/ADT/TypeSwitch.h"

#include <functional>

namespace dendrolith {

using namespace mlir;

// Products of conditions can double the terms with each operation.
constexpr size_t kMostTerms = 64;
// A population may claim more neurons than there is memory for.
constexpr uint64_t kMostNeurons = uint64_t(1) << 26;

bool hasForm(Type type) {
  auto vector = dyn_cast<RankedTensorType>(type);
  return type.isF64() ||
         (vector && vector.getRank() == 1 && vector.getElementType().isF64());
}

static AffineForm opposite(const AffineForm &truth) {
  return AffineForm::constant({1}).plus(truth, {-1});
}

BodyForms::BodyForms(BoundModel &model) {
  dend::NeuronOp neuron = model.model;
  // States first: the first atom of a difference decides on its sign.
  for (ArrayRef<BlockArgument> arguments :
       {neuron.getStateArgs(), neuron.getPortArgs()})
    for (BlockArgument argument : arguments)
      if (hasForm(argument.getType()))
        forms[argument] = newAtom(argument);
      else if (argument.getType().isInteger(1))
        forms[argument] = newCondition(argument);
  for (BlockArgument argument : neuron.getParamArgs())
    if (hasForm(argument.getType()))
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

AffineForm BodyForms::spread(Value operand, Type type) const {
  AffineForm form = *of(operand);
  if (type.isF64() || !operand.getType().isF64())
    return form;
  const size_t width = size_t(dend::elementCount(type));
  for (auto &[term, numbers] : form.terms)
    if (numbers.size() > 1) {
      PerNeuron wide;
      for (double one : numbers)
        wide.insert(wide.end(), width, one);
      numbers = std::move(wide);
    }
  return form;
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
    neurons += population.getSize() * all.back().width();
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
      llvm::append_range(numbers, rows.row(n));
  return AffineForm::constant(numbers);
}

void BodyForms::visit(Operation *op) {
  if (auto fire = dyn_cast<dend::FireOp>(op))
    if (fire.getNext().getType().isF64())
      return fired(fire);
  for (Value result : op->getResults()) {
    std::optional<AffineForm> form;
    if (hasForm(result.getType())) {
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
  const Type type = op->getResult(0).getType();
  auto at = [&](unsigned i) { return spread(op->getOperand(i), type); };
  using Result = std::optional<AffineForm>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](dend::LiteralOp literal) -> Result {
        auto dense = dyn_cast<DenseFPElementsAttr>(literal.getValue());
        auto number = dense && dense.isSplat()
                          ? dense.getSplatValue<FloatAttr>()
                          : dyn_cast<FloatAttr>(literal.getValue());
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
        return chosen(*of(select.getCondition()), at(1), at(2));
      })
      .Case([&](dend::ToRealOp) -> Result { return at(0); })
      .Case([&](dend::CompartmentOp one) { return compartment(one); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

std::optional<AffineForm> BodyForms::quotientOf(dend::DivOp op) {
  auto divisor = spread(op.getRhs(), op.getType()).asConstant();
  if (!divisor)
    return std::nullopt;
  for (double number : *divisor)
    if (number == 0)
      return std::nullopt;
  AffineForm form;
  for (const auto &[term, numbers] : spread(op.getLhs(), op.getType()).terms)
    form.terms[term] = dividedBy(numbers, *divisor);
  return form;
}

/// no + condition * (yes - no)
std::optional<AffineForm> BodyForms::chosen(const AffineForm &condition,
                                            const AffineForm &yes,
                                            const AffineForm &no) {
  auto more = condition.times(yes.plus(no, {-1}));
  if (!more)
    return std::nullopt;
  return no.plus(*more);
}

std::optional<AffineForm> BodyForms::compartment(dend::CompartmentOp op) {
  const Type type = op.getType();
  auto kept = spread(op.getKeep(), type).times(*of(op.getState()));
  auto driven = std::optional<AffineForm>(spread(op.getDrive(), type));
  if (op.getGain())
    driven = spread(op.getGain(), type).times(*driven);
  if (!kept || !driven)
    return std::nullopt;
  AffineForm sum = kept->plus(*driven);
  return op.getOffset() ? sum.plus(spread(op.getOffset(), type)) : sum;
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
  std::optional<AffineForm> next =
      chosen(*of(op.getSpike()), after, *of(potential));
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
    return chosen(*of(most.getLhs()), AffineForm::constant({1}),
                  *of(most.getRhs()));
  if (auto select = dyn_cast<dend::SelectOp>(op))
    return chosen(*of(select.getCondition()), *of(select.getYes()),
                  *of(select.getNo()));
  return std::nullopt;
}

/// A comparison of a number that one condition chooses, as spike > 0 is.
std::optional<AffineForm> BodyForms::comparedSpike(dend::CmpOp op) {
  if (!op.getLhs().getType().isF64())
    return std::nullopt;
  const AffineForm difference = of(op.getLhs())->plus(*of(op.getRhs()), {-1});
  const std::vector<unsigned> conditions = difference.conditions();
  if (conditions.size() != 1 ||
      !difference.unconditional().withoutConstant().isZero())
    return std::nullopt;
  auto more = difference.under(conditions).asConstant();
  if (!more)
    return std::nullopt;
  const PerNeuron no = difference.of(AffineForm::kOne),
                  yes = combine(no, *more, std::plus<>());
  auto truth = [&](const PerNeuron &numbers) {
    return combine(numbers, {0}, [&](double a, double b) {
      switch (op.getPredicate()) {
      case dend::Predicate::EQ:
        return double(a == b);
      case dend::Predicate::NE:
        return double(a != b);
      case dend::Predicate::LT:
        return double(a < b);
      case dend::Predicate::LE:
        return double(a <= b);
      case dend::Predicate::GT:
        return double(a > b);
      case dend::Predicate::GE:
        return double(a >= b);
      }
      llvm_unreachable("all predicates are handled");
    });
  };
  return chosen(AffineForm::condition(conditions[0]),
                AffineForm::constant(truth(yes)),
                AffineForm::constant(truth(no)));
}

/// A comparison as a condition whose first atom has the number 1, or as the
/// opposite of one. One that the body has already is not made anew.
AffineForm BodyForms::compared(dend::CmpOp op) {
  const dend::Predicate p = op.getPredicate();
  if (auto known = comparedSpike(op))
    return *known;
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

/// An integrator keeps all of its state, which costs no multiplication.
static bool isOne(Value keep) {
  auto literal = keep.getDefiningOp<dend::LiteralOp>();
  auto number = literal ? dyn_cast<FloatAttr>(literal.getValue()) : FloatAttr();
  return number && number.getValueAsDouble() == 1;
}

/// Operations that an op becomes. A quotient becomes a reciprocal's recipe.
static unsigned operationsOf(Operation *op) {
  constexpr unsigned recipe = 10;
  if (isa<dend::LiteralOp>(op))
    return 0;
  if (auto one = dyn_cast<dend::CompartmentOp>(op))
    return 1 + !isOne(one.getKeep()) + (one.getGain() ? 1 : 0) +
           (one.getOffset() ? 1 : 0);
  if (auto branch = dyn_cast<dend::BranchOp>(op))
    return 4 + (branch.getG() ? 1 : 0);
  if (auto fire = dyn_cast<dend::FireOp>(op))
    return 1 + (fire.getReset() != dend::ResetKind::None) +
           (fire.getReset() == dend::ResetKind::Subtract);
  return isa<dend::DivOp, dend::MathOp>(op) ? recipe : 1;
}

BodySize sizeOfBody(ArrayRef<Value> values) {
  BodySize size;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    size.operations += operationsOf(op);
    size.structure +=
        isa<dend::CompartmentOp, dend::FireOp, dend::BranchOp>(op);
    auto fire = dyn_cast<dend::FireOp>(op);
    size.fixedFunction &=
        isa<dend::CompartmentOp, dend::LiteralOp>(op) ||
        (fire && fire.getReset() != dend::ResetKind::Subtract);
    op->walk([&](Operation *inner) {
      llvm::append_range(open, inner->getOperands());
    });
  }
  return size;
}

} // namespace dendrolith
