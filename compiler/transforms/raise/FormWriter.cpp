// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/FormWriter.h"

namespace dendrolith {

using namespace mlir;

void FormWriter::reuseParameters() {
  for (BlockArgument argument : dend::NeuronOp(model.model).getParamArgs()) {
    const AffineForm *form = forms.of(argument);
    auto numbers = form ? form->asConstant() : std::nullopt;
    if (numbers && numbers->size() > 1)
      own.push_back({*numbers, argument});
  }
}

Value FormWriter::parameterOf(const PerNeuron &numbers) const {
  for (const auto *all : {&parameters, &own})
    for (const auto &[same, value] : *all)
      if (same == numbers)
        return value;
  return Value();
}

Value FormWriter::number(const PerNeuron &numbers, const Twine &name,
                         size_t width) {
  const Type f64 = Float64Type::get(yield.getContext());
  if (allAre(numbers, numbers.front()))
    return body().real(f64, numbers.front());
  if (Value there = parameterOf(numbers))
    return there;
  dend::NeuronOp neuron = model.model;
  std::string fresh = name.str();
  for (int i = 1; neuron.findParam(fresh) >= 0; ++i)
    fresh = (name + "_" + Twine(i)).str();
  const Type type =
      width == 1 ? f64 : Type(RankedTensorType::get({int64_t(width)}, f64));
  Value added = model.addParameter(fresh, type);
  size_t from = 0;
  for (dend::PopulationOp population : model.populations) {
    const size_t count = population.getSize() * width;
    BoundRows rows{
        {numbers.begin() + long(from), numbers.begin() + long(from + count)},
        true,
        int64_t(population.getSize())};
    model.setRows(population, unsigned(neuron.getParams().size()) - 1, type,
                  rows);
    from += count;
  }
  parameters.push_back({numbers, added});
  return added;
}

Value FormWriter::plusTerm(Value sum, Value term, const PerNeuron &numbers,
                           const Twine &name, size_t width) {
  const PerNeuron less = scaledBy(numbers, {-1});
  const bool minus = sum && (allPositive(less) || isParameter(less));
  const PerNeuron &factor = minus ? less : numbers;
  if (!allAre(factor, 1))
    term = body().mul(term, number(factor, name, width));
  if (minus)
    return body().sub(sum, term);
  return sum ? body().add(sum, term) : term;
}

Value FormWriter::known(const AffineForm &form) const {
  for (const KnownValue &one : values)
    if (one.form.sameAs(form))
      return one.value;
  if (form.terms.size() == 1) {
    const auto &[term, numbers] = *form.terms.begin();
    if (term.first.empty() && term.second != AffineForm::kOne &&
        allAre(numbers, 1))
      return forms.atom(term.second);
  }
  return Value();
}

Value FormWriter::truthOf(unsigned condition, StringRef name) {
  if (Value made = truths.lookup(condition))
    return made;
  const Condition &one = forms.conditions[condition];
  const AffineForm atoms = one.difference.withoutConstant();
  Value left = atoms.isZero() ? Value() : known(atoms);
  if (!left)
    return one.value;
  const PerNeuron limit = scaledBy(one.difference.of(AffineForm::kOne), {-1});
  return truths[condition] = body().cmp(one.inclusive ? dend::Predicate::GE
                                                      : dend::Predicate::GT,
                                        left, number(limit, name + "_theta"));
}

/// `sum`, null if there is none, and the terms of `rest`.
Value FormWriter::sumOf(Value sum, const AffineForm &rest, StringRef name) {
  auto add = [&](Value term) { sum = sum ? body().add(sum, term) : term; };
  for (const auto &[term, numbers] : rest.unconditional().terms)
    if (term.second == AffineForm::kOne)
      add(number(numbers, name));
    else if (allAre(numbers, 1))
      add(forms.atom(term.second));
    else
      add(body().mul(forms.atom(term.second), number(numbers, name)));
  for (unsigned condition : rest.conditions()) {
    Value holds = truthOf(condition, name);
    Value more = valueOf(rest.under({condition}), name);
    if (!holds || !more)
      return Value();
    add(body().select(holds, more, number({0}, name)));
  }
  return sum;
}

/// A number where the only condition holds; null for another form.
Value FormWriter::choiceOf(const AffineForm &form, StringRef name) {
  const std::vector<unsigned> conditions = form.conditions();
  const AffineForm otherwise = form.unconditional();
  if (conditions.size() != 1 || otherwise.withoutConstant().isZero())
    return Value();
  auto to = otherwise.plus(form.under(conditions)).asConstant();
  Value holds = to ? truthOf(conditions[0], name) : Value();
  Value base = holds ? valueOf(otherwise, name) : Value();
  return base ? body().select(holds, number(*to, name), base) : Value();
}

Value FormWriter::valueOf(const AffineForm &form, StringRef name) {
  if (Value there = known(form))
    return there;
  if (form.isZero())
    return number({0}, name);
  for (const auto &[term, numbers] : form.terms)
    if (term.first.size() > 1)
      return Value();
  const KnownValue *most = nullptr;
  for (const KnownValue &one : values) {
    const bool within = llvm::all_of(one.form.terms, [&](const auto &entry) {
      auto found = form.terms.find(entry.first);
      return found != form.terms.end() && agree(found->second, entry.second);
    });
    if (within && (!most || one.form.terms.size() > most->form.terms.size()))
      most = &one;
  }
  if (!most) {
    if (Value chosen = choiceOf(form, name))
      return chosen;
    return sumOf(Value(), form, name);
  }
  AffineForm rest = form;
  for (const auto &[term, numbers] : most->form.terms)
    rest.terms.erase(term);
  return sumOf(most->value, rest, name);
}

void FormWriter::undo() {
  while (yield->getPrevNode() != last)
    yield->getPrevNode()->erase();
  for (size_t i = parameters.size(); i-- > 0;)
    model.eraseParameter(*model.parameter(parameters[i].second));
}

void FormWriter::eraseUnused() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(model.model.getBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
  dend::NeuronOp neuron = model.model;
  for (unsigned i = unsigned(neuron.getParams().size()); i-- > 0;)
    if (neuron.getParamArgs()[i].use_empty())
      model.eraseParameter(i);
}

} // namespace dendrolith
