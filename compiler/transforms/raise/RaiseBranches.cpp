// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/RaiseBranches.h"

#include "compiler/transforms/raise/FormWriter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace dendrolith {

using namespace mlir;

namespace {

/// A state, or a slice of one that is put together of slices, and its next
/// value.
struct StatePart {
  Value before, after;
  StringRef name;
};

class BranchRaiser {
public:
  BranchRaiser(BoundModel &model, bool vectors)
      : vectors(vectors), model(model), yield(yieldOf(model.model)),
        forms(model), write(model, forms) {
    write.reuseParameters();
  }

  bool run();

private:
  Value potentialOf(Value state, Value after);
  std::vector<StatePart> parts();
  PerNeuron rowsOf(const PerNeuron &numbers, size_t &width) const;
  Value driveOf(const AffineForm &rest, size_t width, const Twine &name,
                PerNeuron &gain);
  dend::CompartmentOp compartment(const StatePart &part);
  void branch(dend::CompartmentOp op);

  unsigned operations() {
    return sizeOfBody(SmallVector<Value>(yield->getOperands())).operations;
  }

  const bool vectors;
  BoundModel &model;
  dend::YieldOp yield;
  BodyForms forms;
  FormWriter write;
};

bool isBranch(Type type) {
  return hasForm(type) && isa<ShapedType>(type) && dend::elementCount(type) > 1;
}

/// The slice of a state from `offset` on that is as long as its next value.
Value sliceOfState(Value state, int64_t offset, Type type) {
  for (Operation *user : state.getUsers())
    if (auto slice = dyn_cast<dend::SliceOp>(user))
      if (int64_t(slice.getOffset()) == offset && slice.getType() == type)
        return slice;
  return Value();
}

/// Whether nothing reads `from` but what `value` is made of.
bool readsAll(Value value, Value from) {
  llvm::SmallPtrSet<Operation *, 16> made;
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (op && made.insert(op).second)
      llvm::append_range(open, op->getOperands());
  }
  return llvm::all_of(from.getUsers(),
                      [&](Operation *user) { return made.contains(user); });
}

/// A state before its reset or its non-linearity: what it is where no condition
/// holds, or the first leak of it that stands for it in all that follows.
Value BranchRaiser::potentialOf(Value state, Value after) {
  const unsigned atom = forms.atomOf(state);
  const AffineForm free = forms.of(after)->unconditional();
  auto isLeak = [&](Value value) {
    const AffineForm *form =
        value.getType().isF64() ? forms.of(value) : nullptr;
    return form && form->conditions().empty() && form->mentions(atom) &&
           allPositive(form->of(atom));
  };
  Value first;
  for (Operation &op : model.model.getBlock().without_terminator()) {
    if (op.getNumResults() != 1 || !isLeak(op.getResult(0)))
      continue;
    if (forms.of(op.getResult(0))->sameAs(free))
      return op.getResult(0);
    if (!first && readsAll(op.getResult(0), state))
      first = op.getResult(0);
  }
  return first;
}

std::vector<StatePart> BranchRaiser::parts() {
  std::vector<StatePart> found;
  dend::NeuronOp neuron = model.model;
  for (auto [i, state] : llvm::enumerate(neuron.getStateArgs())) {
    const StringRef name = neuron.getState(i).getName().getValue();
    Value after = yield.getStates()[i];
    if (vectors ? !isBranch(state.getType()) : !state.getType().isF64())
      continue;
    const AffineForm *form = vectors ? nullptr : forms.of(after);
    if (form &&
        (!form->conditions().empty() || !form->mentions(forms.atomOf(state)))) {
      if (Value before = potentialOf(state, after))
        found.push_back({state, before, name});
      continue;
    }
    auto joined = after.getDefiningOp<dend::ConcatOp>();
    if (!joined) {
      found.push_back({state, after, name});
      continue;
    }
    int64_t offset = 0;
    for (Value part : joined.getInputs()) {
      if (Value slice = sliceOfState(state, offset, part.getType());
          slice && isBranch(part.getType()))
        found.push_back({slice, part, name});
      offset += dend::elementCount(part.getType());
    }
  }
  return found;
}

/// One number for each neuron where its elements have the same.
PerNeuron BranchRaiser::rowsOf(const PerNeuron &numbers, size_t &width) const {
  PerNeuron narrow;
  for (size_t from = 0; from < numbers.size(); from += width) {
    const PerNeuron row(numbers.begin() + long(from),
                        numbers.begin() +
                            long(std::min(numbers.size(), from + width)));
    if (!allAre(row, row.front()))
      return numbers;
    narrow.push_back(row.front());
  }
  width = 1;
  return narrow;
}

/// What drives a vector. What a parameter's opposite weights comes last, and is
/// subtracted.
Value BranchRaiser::driveOf(const AffineForm &rest, size_t width,
                            const Twine &name, PerNeuron &gain) {
  std::vector<std::pair<Value, PerNeuron>> terms;
  for (const auto &[term, numbers] : rest.terms)
    terms.push_back({forms.atom(term.second), numbers});
  if (terms.size() == 1) {
    gain = terms[0].second;
    return terms[0].first;
  }
  if (!vectors && llvm::all_of(terms, [&](const auto &term) {
        return agree(term.second, terms[0].second);
      })) {
    gain = terms[0].second;
    for (auto &term : terms)
      term.second = {1};
  }
  std::stable_partition(terms.begin(), terms.end(), [&](const auto &term) {
    return !write.isParameter(scaledBy(term.second, {-1}));
  });
  Value sum;
  for (const auto &[value, numbers] : terms) {
    size_t own = width;
    const PerNeuron rows =
        isa<ShapedType>(value.getType()) ? numbers : rowsOf(numbers, own);
    sum = write.plusTerm(sum, value, rows, name, own);
  }
  return sum;
}

/// v' = keep v + gain drive + offset, each element with its own numbers. Null
/// where that takes more operations.
dend::CompartmentOp BranchRaiser::compartment(const StatePart &part) {
  Value after = part.after;
  Operation *old = after.getDefiningOp();
  const AffineForm *form = forms.of(part.after);
  const unsigned atom = forms.atomOf(part.before);
  if (!old || !form || isa<dend::CompartmentOp, dend::BranchOp>(old) ||
      atom == AffineForm::kOne || !form->conditions().empty())
    return {};
  const PerNeuron keep = form->of(atom), offset = form->of(AffineForm::kOne);
  AffineForm rest = form->withoutConstant();
  rest.terms.erase({{}, atom});
  if (allAre(keep, 0) || rest.isZero())
    return {};
  const Type type = part.after.getType();
  const size_t width = size_t(dend::elementCount(type));
  const unsigned before = operations();
  write.place = old->getLoc();
  write.at = old->getNextNode();
  PerNeuron gain = {1};
  auto number = [&](const PerNeuron &numbers, const char *what) {
    size_t own = width;
    const PerNeuron rows = rowsOf(numbers, own);
    return write.number(rows, part.name + what, own);
  };
  Value drive = driveOf(rest, width, part.name + "_gain", gain);
  Value gained = allAre(gain, 1) ? Value() : number(gain, "_gain");
  Value added = allAre(offset, 0) ? Value() : number(offset, "_offset");
  Value kept = number(keep, "_keep");
  OpBuilder builder(write.at);
  auto made = dend::CompartmentOp::create(
      builder, write.place, type, part.before, drive, kept, gained, added);
  after.replaceAllUsesWith(made);
  if (operations() <= before)
    return made;
  made.getResult().replaceAllUsesWith(after);
  while (write.at->getPrevNode() != old)
    write.at->getPrevNode()->erase();
  return {};
}

/// The sum that reads `value` weighted by a parameter; null if there is none.
dend::ReduceOp sumThatReads(Value value, Value &weights) {
  for (Operation *user : value.getUsers()) {
    auto product = dyn_cast<dend::MulOp>(user);
    if (!product || !product->hasOneUse())
      continue;
    weights = product.getLhs() == value ? product.getRhs() : product.getLhs();
    auto sum = dyn_cast<dend::ReduceOp>(*product->getUsers().begin());
    if (sum && sum.getKind() == dend::Reduction::Sum &&
        isa<BlockArgument>(weights) && weights.getType() == value.getType())
      return sum;
  }
  return {};
}

/// Compartments that one value drives and one weighted sum reads.
void BranchRaiser::branch(dend::CompartmentOp op) {
  const Type type = op.getType();
  Value weights, gain = op.getGain(), input = op.getDrive();
  dend::ReduceOp read = sumThatReads(op, weights);
  if (!read || !input.getType().isF64() || op.getOffset() ||
      op.getKeep().getType() != type)
    return;
  OpBuilder builder(op);
  if (gain && gain.getType() != type) {
    input = BodyBuilder(op).mul(input, gain);
    gain = Value();
  }
  auto made = dend::BranchOp::create(
      builder, op.getLoc(), type, input.getType(), op.getState(), input,
      op.getKeep(), gain, weights, Value(), dend::Activation::Identity,
      DenseI64ArrayAttr());
  op.getResult().replaceAllUsesWith(made.getNext());
  read.getResult().replaceAllUsesWith(made.getDrive());
}

bool BranchRaiser::run() {
  bool any = false;
  for (const StatePart &part : parts())
    if (dend::CompartmentOp made = compartment(part)) {
      branch(made);
      any = true;
    }
  if (!any) {
    write.undo();
    return false;
  }
  write.eraseUnused();
  return true;
}

} // namespace

bool raiseStates(BoundModel &model, bool vectors) {
  dend::NeuronOp neuron = model.model;
  return llvm::any_of(neuron.getStateArgs(),
                      [&](BlockArgument state) {
                        return vectors ? isBranch(state.getType())
                                       : state.getType().isF64();
                      }) &&
         BranchRaiser(model, vectors).run();
}

} // namespace dendrolith
