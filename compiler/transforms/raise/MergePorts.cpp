// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/MergePorts.h"

#include "dialects/dend/NetworkIndex.h"

namespace dendrolith {

using namespace mlir;

namespace {

/// The port that a value is, if nothing but one operation reads it and it is
/// cleared at each update.
std::optional<unsigned> plainPort(dend::NeuronOp model, Value value) {
  for (auto [i, argument] : llvm::enumerate(model.getPortArgs()))
    if (argument == value && value.hasOneUse() && !model.getPort(i).getHold())
      return unsigned(i);
  return std::nullopt;
}

void redirect(const BoundModel &model, StringAttr from, StringAttr to) {
  for (dend::PopulationOp population : model.populations)
    for (dend::ProjectOp project : dend::projectionsInto(population))
      if (project.getPortAttr() == from)
        project.setPortAttr(to);
}

/// Whether the operands of an addition were two ports, which are one now.
bool mergePortsOf(BoundModel &model, dend::AddOp op) {
  dend::NeuronOp neuron = model.model;
  auto kept = plainPort(neuron, op.getLhs()),
       gone = plainPort(neuron, op.getRhs());
  if (!kept || !gone || *kept == *gone)
    return false;
  redirect(model, neuron.getPort(*gone).getName(),
           neuron.getPort(*kept).getName());
  op.getResult().replaceAllUsesWith(op.getLhs());
  op.erase();
  SmallVector<Attribute> ports(neuron.getPorts().getValue());
  ports.erase(ports.begin() + *gone);
  neuron.setPortsAttr(ArrayAttr::get(neuron.getContext(), ports));
  neuron.getBlock().eraseArgument(*gone);
  return true;
}

} // namespace

void mergePorts(BoundModel &model) {
  auto once = [&] {
    for (auto add :
         dend::NeuronOp(model.model).getBlock().getOps<dend::AddOp>())
      if (mergePortsOf(model, add))
        return true;
    return false;
  };
  while (once())
    ;
}

} // namespace dendrolith
