// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-prepare: the float network in the form that is calibrated and then
// quantised. Ranges belong to a population, so each population whose step body
// is quantised value by value gets a model of its own.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/raise/RaiseNeuron.h"
#include "compiler/transforms/structure/ExpandStructure.h"
#include "compiler/transforms/structure/SplitConstants.h"

#include "dialects/dend/NetworkIndex.h"

namespace dendrolith {
#define GEN_PASS_DEF_DENDPREPARE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

/// Populations by model.
llvm::StringMap<unsigned> countUsers(dend::NetworkOp network) {
  llvm::StringMap<unsigned> users;
  for (auto population : network.getOps<dend::PopulationOp>())
    ++users[population.getModel()];
  return users;
}

/// The population's model, or a copy where others have it, too.
dend::NeuronOp ownModel(dend::PopulationOp population,
                        const llvm::StringMap<unsigned> &users) {
  dend::NeuronOp model = dend::modelOf(population);
  return users.lookup(model.getSymName()) > 1 ? copyModel(population) : model;
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
    model.setPolesAttr(builder.getArrayAttr(poles));
}

/// Fixed point has no quotient: x / y as x times the reciprocal of y.
void expandQuotients(dend::NeuronOp model) {
  model.getBlock().walk([](dend::DivOp div) {
    BodyBuilder b(div);
    Value inverse = b.math(dend::Function::Reciprocal, div.getRhs());
    div.getResult().replaceAllUsesWith(b.mul(div.getLhs(), inverse));
    div.erase();
  });
}

/// Why a population gets a body of arithmetic; empty where it stays. One that
/// fires at v >= theta is shorter as a program than as a fixed-function neuron.
/// A chip that has no programs raises it again.
std::string whyExpanded(dend::PopulationOp population) {
  std::string reason;
  if (kindOf(population, &reason) == ModelKind::Body)
    return reason;
  for (auto fire : dend::modelOf(population).getBlock().getOps<dend::FireOp>())
    if (fire.getInclusive() && dend::isReal(fire.getPotential().getType()))
      return "population '" + population.getSymName().str() +
             "' fires at v >= theta";
  return "";
}

struct DendPreparePass : impl::DendPrepareBase<DendPreparePass> {
  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    // The reason is lost once the model is expanded.
    SmallVector<std::pair<dend::NeuronOp, std::string>> bodies;
    llvm::StringMap<unsigned> users = countUsers(network);
    {
      dend::NetworkIndex index(network);
      for (auto population : network.getOps<dend::PopulationOp>())
        if (std::string reason = whyExpanded(population); !reason.empty())
          bodies.push_back({ownModel(population, users), reason});
    }
    for (auto &[model, why] : bodies) {
      // What is a neuron's arithmetic is shorter once it is written as one.
      raiseNeuron(model);
      model.setNotCuba(why);
      notePoles(model);
      expandStructure(model);
      expandQuotients(model);
    }
    // What only copies are left of.
    llvm::DenseSet<StringAttr> used = usedSymbols(network);
    for (auto model :
         llvm::make_early_inc_range(network.getOps<dend::NeuronOp>()))
      if (users[model.getSymName()] > 1 &&
          !used.contains(model.getSymNameAttr()))
        model.erase();
  }
};
} // namespace
} // namespace dendrolith
