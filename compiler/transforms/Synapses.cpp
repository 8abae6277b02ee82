// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/Synapses.h"

#include "dialects/dend/Constants.h"

#include <cmath>

using namespace mlir;

namespace neurite {
namespace {

FailureOr<std::vector<double>> readAs(ElementsAttr attr, double) {
  return dend::readReals(attr);
}
FailureOr<std::vector<int64_t>> readAs(ElementsAttr attr, int64_t) {
  return dend::readInts(attr);
}

ElementsAttr valueOf(dend::ProjectOp project, FlatSymbolRefAttr symbol) {
  auto constant =
      symbol ? SymbolTable::lookupNearestSymbolFrom<dend::ConstantOp>(project,
                                                                      symbol)
             : dend::ConstantOp();
  return constant ? constant.getValueAttr() : ElementsAttr();
}

template <typename Weight>
LogicalResult readDense(SynapseArrays<Weight> &all, int64_t sources) {
  for (size_t k = 0; k < all.weight.size(); ++k) {
    all.target.push_back(static_cast<uint32_t>(k / sources));
    all.source.push_back(static_cast<uint32_t>(k % sources));
  }
  return success();
}

template <typename Weight>
LogicalResult readSparse(SynapseArrays<Weight> &all, dend::ProjectOp project) {
  ElementsAttr value = valueOf(project, project.getIndicesAttr());
  auto indices = value ? dend::readInts(value)
                       : FailureOr<std::vector<int64_t>>(failure());
  if (failed(indices) || indices->size() != 2 * all.weight.size())
    return project.emitError("its indices cannot be read");
  int64_t targets = targetElements(project), sources = sourceElements(project);
  for (size_t k = 0; k < all.weight.size(); ++k) {
    int64_t target = (*indices)[2 * k], source = (*indices)[2 * k + 1];
    if (target < 0 || target >= targets || source < 0 || source >= sources)
      return project.emitError("synapse ")
             << k << " joins source " << source << " to target " << target
             << ", outside " << sources << " sources and " << targets
             << " targets";
    all.target.push_back(static_cast<uint32_t>(target));
    all.source.push_back(static_cast<uint32_t>(source));
  }
  return success();
}

} // namespace

int64_t sourceElements(dend::ProjectOp project) {
  Operation *source =
      SymbolTable::lookupNearestSymbolFrom(project, project.getSourceAttr());
  if (auto input = dyn_cast_or_null<dend::InputOp>(source))
    return cast<RankedTensorType>(input.getType()).getNumElements();
  auto population = cast<dend::PopulationOp>(source);
  dend::NeuronOp model = dend::modelOf(population);
  int output = project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
  return population.getSize() * model.getOutput(output).getElements();
}

int64_t targetElements(dend::ProjectOp project) {
  auto population = SymbolTable::lookupNearestSymbolFrom<dend::PopulationOp>(
      project, project.getTargetAttr());
  dend::NeuronOp model = dend::modelOf(population);
  int port = model.findPort(project.getPort());
  return population.getSize() *
         dend::elementCount(model.getPortArgs()[port].getType());
}

template <typename Weight>
FailureOr<SynapseArrays<Weight>> readSynapses(dend::ProjectOp project) {
  SynapseArrays<Weight> all;
  Attribute kind = project.getSynapses();
  if (!isa<dend::DenseAttr, dend::SparseAttr, dend::DiagonalAttr>(kind))
    return project.emitError("convolutions and pooling cannot be placed on a "
                             "chip in this version; expand them to sparse "
                             "synapses");
  if (!project.getWeightAttr()) { // a diagonal of ones
    all.weight.assign(targetElements(project), Weight(1));
  } else {
    ElementsAttr value = valueOf(project, project.getWeightAttr());
    if (!value)
      return project.emitError("its weights '@")
             << *project.getWeight() << "' have no value; bind them first";
    auto weights = readAs(value, Weight());
    if (failed(weights))
      return project.emitError("its weights '@")
             << *project.getWeight() << "' cannot be read";
    all.weight = std::move(*weights);
  }
  for (size_t k = 0; k < all.weight.size(); ++k)
    if (!std::isfinite(static_cast<double>(all.weight[k])))
      return project.emitError("weight ")
             << k << " of '@" << *project.getWeight() << "' is not finite";
  LogicalResult read = success();
  if (isa<dend::DenseAttr>(kind)) {
    read = readDense(all, sourceElements(project));
  } else if (isa<dend::SparseAttr>(kind)) {
    read = readSparse(all, project);
  } else {
    for (size_t k = 0; k < all.weight.size(); ++k) {
      all.target.push_back(static_cast<uint32_t>(k));
      all.source.push_back(static_cast<uint32_t>(k));
    }
  }
  if (failed(read))
    return failure();
  return all;
}

template FailureOr<SynapseArrays<double>> readSynapses(dend::ProjectOp);
template FailureOr<SynapseArrays<int64_t>> readSynapses(dend::ProjectOp);

} // namespace neurite
