// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-prepare: the float network in the form that is calibrated and then
// quantised. Ranges belong to a population, so each population whose step body
// is quantised value by value gets a model of its own.

#include "compiler/transforms/CubaModel.h"
#include "compiler/transforms/ExpandStructure.h"
#include "compiler/transforms/ModelKinds.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/SplitConstants.h"

namespace neurite {
#define GEN_PASS_DEF_DENDPREPARE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

dend::NeuronOp ownModel(dend::PopulationOp population) {
  dend::NeuronOp model = modelOf(population);
  auto network = population->getParentOfType<dend::NetworkOp>();
  unsigned users = 0;
  for (auto other : network.getOps<dend::PopulationOp>())
    users += other.getModel() == model.getSymName();
  if (users == 1)
    return model;
  OpBuilder builder(model);
  builder.setInsertionPointAfter(model);
  auto own = cast<dend::NeuronOp>(builder.clone(*model.getOperation()));
  own.setSymName(freeName(
      network, (population.getSymName() + "." + model.getSymName()).str()));
  population.setModel(own.getSymName());
  return own;
}

/// Names of the parameters that a state is multiplied by, as they will be
/// called once complex ones are split: rounding must keep them stable.
void notePoles(dend::NeuronOp model) {
  Builder builder(model.getContext());
  SmallVector<Attribute> poles;
  unsigned first = unsigned(model.getPortArgs().size());
  auto note = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || !llvm::is_contained(model.getParamArgs(), argument))
      return;
    StringRef name =
        model.getParam(argument.getArgNumber() - first).getName().getValue();
    SmallVector<Attribute> parts;
    if (dend::isComplex(argument.getType()))
      parts = {builder.getStringAttr(partName(name, false)),
               builder.getStringAttr(partName(name, true))};
    else
      parts = {builder.getStringAttr(name)};
    poles.push_back(builder.getArrayAttr(parts));
  };
  model.getBlock().walk([&](Operation *op) {
    if (auto branch = dyn_cast<dend::BranchOp>(op))
      note(branch.getA());
    else if (auto soma = dyn_cast<dend::SomaOp>(op))
      note(soma.getKeep());
    else if (auto compartment = dyn_cast<dend::CompartmentOp>(op))
      note(compartment.getKeep());
  });
  if (!poles.empty())
    model->setAttr("poles", builder.getArrayAttr(poles));
}

struct DendPreparePass : impl::DendPrepareBase<DendPreparePass> {
  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    SmallVector<dend::PopulationOp> bodies;
    for (auto population : network.getOps<dend::PopulationOp>())
      if (kindOf(population) == ModelKind::Body)
        bodies.push_back(population);
    for (dend::PopulationOp population : bodies) {
      dend::NeuronOp model = ownModel(population);
      notePoles(model);
      expandStructure(model);
    }
  }
};
} // namespace
} // namespace neurite
