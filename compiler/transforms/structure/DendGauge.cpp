// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-gauge: chooses the units of states such that their input gains are 1.
// A freedom of gauge is a unit of a state that a network's outputs do not show.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/BoundModel.h"

#include "llvm/ADT/TypeSwitch.h"

#include <complex>
#include <optional>

namespace dendrolith {
#define GEN_PASS_DEF_DENDGAUGE
#include "compiler/transforms/Passes.h.inc"

using namespace mlir;

namespace {

/// A linear state x with x' = (...) x + gain u that is read only through
/// products read * x may be measured in other units: with x = gain x~,
///
///   x~' = (...) x~ + u,   read~ = read * gain,
///
/// all element by element, exact in reals. Where gain is 0 the element is dead:
/// it stays 0, so read~ = 0 leaves the result unchanged.
struct Gauge {
  Operation *op;
  Value state, next; ///< the state's old and new value
  Value gain;        ///< the parameter that goes
  OpOperand *read;   ///< where the parameter stands that takes it up
};

/// The freedom that an op leaves, none for ops without one. This is the one
/// place that knows them: a branch's input gain G goes into its read-out C. An
/// op whose freedom has this form joins by a case here and in dropGain(). (The
/// apical unit of DendriCL has one of another form: its key may be scaled by c,
/// with state / c and rate / c^2, which changes the weights into the key's
/// port.)
std::optional<Gauge> gaugeOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Gauge>>(op)
      .Case([](dend::BranchOp branch) -> std::optional<Gauge> {
        if (!branch.getG())
          return std::nullopt;
        return Gauge{branch, branch.getState(), branch.getNext(), branch.getG(),
                     &branch.getCMutable()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Takes the gain from the op.
void dropGain(const Gauge &gauge) {
  if (auto branch = dyn_cast<dend::BranchOp>(gauge.op))
    branch.getGMutable().clear();
}

/// read * gain for every neuron that has a row of its own in either.
BoundRows product(const BoundRows &read, const BoundRows &gain, bool complex) {
  BoundRows result;
  result.perNeuron = read.perNeuron || gain.perNeuron;
  result.count = std::max(read.count, gain.count);
  for (int64_t n = 0; n < result.count; ++n) {
    ArrayRef<double> a = read.row(n), b = gain.row(n);
    if (!complex) {
      for (auto [x, y] : llvm::zip(a, b))
        result.values.push_back(x * y);
      continue;
    }
    for (size_t i = 0; i < a.size(); i += 2) {
      std::complex<double> z = std::complex<double>(a[i], a[i + 1]) *
                               std::complex<double>(b[i], b[i + 1]);
      result.values.push_back(z.real());
      result.values.push_back(z.imag());
    }
  }
  return result;
}

/// The freedoms of a model that can be used: the state belongs to the op, no
/// output shows it, and both parameters have elements.
SmallVector<Gauge> freedoms(BoundModel &model) {
  SmallVector<Gauge> found;
  for (Operation &op : model.model.getBlock()) {
    std::optional<Gauge> gauge = gaugeOf(&op);
    if (!gauge || !model.hasElements(gauge->gain) ||
        !model.hasElements(gauge->read->get()))
      continue;
    auto state = model.ownState(&op, gauge->state, gauge->next);
    if (state && !model.isProbed(*state))
      found.push_back(*gauge);
  }
  // A read-out that several ops share changes for all of them or for none.
  auto agrees = [&](const Gauge &gauge) {
    return llvm::all_of(gauge.read->get().getUses(), [&](OpOperand &use) {
      return llvm::any_of(found, [&](const Gauge &other) {
        return other.read == &use && other.gain == gauge.gain;
      });
    });
  };
  SmallVector<Gauge> usable;
  llvm::copy_if(found, std::back_inserter(usable), agrees);
  return usable;
}

/// Gives the real or the imaginary parts of (re, im) pairs.
BoundRows part(BoundRows rows, bool imaginary) {
  std::vector<double> parts;
  for (size_t i = imaginary; i < rows.values.size(); i += 2)
    parts.push_back(rows.values[i]);
  rows.values = std::move(parts);
  return rows;
}

bool isRealEverywhere(const BoundModel &model, Value param) {
  return llvm::all_of(model.populations, [&](dend::PopulationOp population) {
    return llvm::all_of(part(model.rows(population, param), true).values,
                        [](double im) { return im == 0; });
  });
}

/// Retypes a complex branch without input gain whose decays A are real in every
/// population: its state, fed by a real input from zero, stays real, and only
/// the real part of C is read. Leaves any other branch alone, and one whose
/// state, A or C has other uses or whose state is probed.
void makeModesReal(BoundModel &model, dend::BranchOp op) {
  Value A = op.getA(), C = op.getC();
  if (!dend::isComplex(op.getState().getType()) || op.getG() ||
      !A.hasOneUse() || !C.hasOneUse() || !model.hasElements(A) ||
      !model.hasElements(C) || !isRealEverywhere(model, A))
    return;
  auto state = model.ownState(op, op.getState(), op.getNext());
  if (!state || model.isProbed(*state))
    return;
  Type type = op.getState().getType();
  type = dend::withElementType(
      type, cast<ComplexType>(dend::elementType(type)).getElementType());
  for (Value param : {A, C}) {
    SmallVector<BoundRows> rows;
    for (dend::PopulationOp population : model.populations)
      rows.push_back(part(model.rows(population, param), false));
    for (auto [population, values] : llvm::zip(model.populations, rows))
      model.setRows(population, *model.parameter(param), type, values);
  }
  for (Value value : {A, C, Value(op.getState()), Value(op.getNext())})
    value.setType(type);
}

void gaugeModel(dend::NeuronOp op) {
  if (op.getBlock().getOps<dend::BranchOp>().empty())
    return;
  BoundModel model(op);
  SmallVector<Gauge> usable = freedoms(model);
  llvm::DenseSet<Value> done;
  for (const Gauge &gauge : usable) {
    Value read = gauge.read->get();
    if (!done.insert(read).second)
      continue;
    Type type = read.getType();
    // Both are read everywhere before either is written.
    SmallVector<BoundRows> products;
    for (dend::PopulationOp population : model.populations)
      products.push_back(product(model.rows(population, read),
                                 model.rows(population, gauge.gain),
                                 dend::isComplex(type)));
    for (auto [population, rows] : llvm::zip(model.populations, products))
      model.setRows(population, *model.parameter(read), type, rows);
  }
  for (const Gauge &gauge : usable) {
    dropGain(gauge);
    if (gauge.gain.use_empty())
      if (auto param = model.parameter(gauge.gain))
        model.eraseParameter(*param);
  }
  for (auto branch : op.getBlock().getOps<dend::BranchOp>())
    makeModesReal(model, branch);
}

struct DendGaugePass : impl::DendGaugeBase<DendGaugePass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<dend::NeuronOp>())
      gaugeModel(model);
  }
};
} // namespace
} // namespace dendrolith
