// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Recognise.h"

#include "mlir/IR/OperationSupport.h"

namespace dendrolith::lava {

using namespace mlir;

namespace {

/// A term as its port is used: shifted right by a literal, or as it is.
Term termOf(BlockArgument port) {
  Term term;
  dend::FxType type = dend::fixedType(port.getType());
  term.width = type ? type.getWidth() : 0;
  if (!port.hasOneUse())
    return term;
  auto shift = dyn_cast<dend::ShiftOp>(*port.getUsers().begin());
  auto amount = shift ? shift.getAmount().getDefiningOp<dend::LiteralOp>()
                      : dend::LiteralOp();
  if (!amount || shift.getInput() != port)
    return term;
  auto value = dyn_cast<IntegerAttr>(amount.getValue());
  if (value && value.getInt() < 0 && value.getInt() > -64)
    term.shift = unsigned(-value.getInt());
  return term;
}

bool sameBody(dend::NeuronOp model, const NeuronForm &form) {
  size_t arguments = parameterNames(form).size() + stateNames(form).size();
  for (const auto &terms : form.inputs)
    arguments += terms.size();
  if (model.getBlock().getNumArguments() != arguments)
    return false;
  OpBuilder builder(model.getContext());
  OwningOpRef<dend::NeuronOp> written =
      buildNeuron(builder, model.getLoc(), "written", form);
  if (written->getOutputs().size() != model.getOutputs().size())
    return false;
  for (unsigned i = 0; i < model.getOutputs().size(); ++i)
    if (model.getOutput(i).getType() != written->getOutput(i).getType() ||
        model.getOutput(i).getElements() != 1)
      return false;
  return OperationEquivalence::isRegionEquivalentTo(
      &model.getBody(), &written->getBody(),
      OperationEquivalence::IgnoreLocations);
}

bool startsWithSample(dend::NeuronOp model) {
  for (unsigned i = 0; i < model.getStateArgs().size(); ++i) {
    auto reset = dyn_cast<StringAttr>(model.getState(i).getReset());
    if (!reset || reset != "sample")
      return false;
  }
  return true;
}

} // namespace

/// Writes every form that the arguments of the model allow and compares it.
std::optional<NeuronForm> recognise(dend::NeuronOp model) {
  std::vector<Term> terms;
  for (BlockArgument port : model.getPortArgs()) {
    terms.push_back(termOf(port));
    if (!terms.back().width)
      return std::nullopt;
  }
  for (unsigned i = 0; i < terms.size(); ++i)
    if (model.getPort(i).getHold())
      return std::nullopt;
  if (terms.empty() || model.getOutputs().empty() || !startsWithSample(model))
    return std::nullopt;
  bool fired = model.getOutputs().size() == 2;
  for (const NeuronClass &neuron : neuronClasses())
    for (const std::string &variant : neuron.variants) {
      if (terms.size() < neuron.inputs.size())
        continue;
      // Where the terms of a second input begin is not written anywhere.
      for (size_t first = 1; first <= terms.size(); ++first) {
        NeuronForm form{neuron.lavaClass, variant, {}, fired};
        form.inputs.emplace_back(terms.begin(), terms.begin() + first);
        if (neuron.inputs.size() == 2)
          form.inputs.emplace_back(terms.begin() + first, terms.end());
        bool whole = neuron.inputs.size() == 2 ? first < terms.size()
                                               : first == terms.size();
        if (whole && sameBody(model, form))
          return form;
      }
    }
  return std::nullopt;
}

} // namespace dendrolith::lava
