// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-gauge: chooses the units of states such that their input gains are 1.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/structure/Gauge.h"
#include "compiler/transforms/structure/RealModes.h"

#include "llvm/ADT/TypeSwitch.h"

#include <complex>

namespace dendrolith {
#define GEN_PASS_DEF_DENDGAUGE
#include "compiler/transforms/Passes.h.inc"

using namespace mlir;

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

void dropGain(const Gauge &gauge) {
  if (auto branch = dyn_cast<dend::BranchOp>(gauge.op))
    branch.getGMutable().clear();
}

namespace {

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
