// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Statistics.h"

#include "dialects/dend/Bindings.h"
#include "dialects/dend/Dend.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace neurite {

/// Synapses of a projection, every use of a shared weight; `weights` is the
/// size of its constant.
static int64_t usesOf(dend::ProjectOp project, RankedTensorType weights) {
  auto conv = dyn_cast<dend::ConvAttr>(project.getSynapses());
  auto pool = dyn_cast<dend::PoolAttr>(project.getSynapses());
  if (!conv && !pool)
    return weights.getNumElements();
  int64_t uses = 0;
  dend::Window window =
      conv ? dend::windowOf(conv, weights.getShape()) : dend::windowOf(pool);
  window.taps([&](int64_t, int64_t, int64_t) { ++uses; });
  return uses;
}

static int64_t countZeros(const dend::RawElements &raw) {
  int64_t zeros = 0;
  if (raw.element.isInteger(16)) { // of large networks
    for (int64_t i = 0; i < raw.count; ++i) {
      int16_t weight = 0;
      std::memcpy(&weight, raw.bytes.data() + 2 * i, 2);
      zeros += weight == 0;
    }
    return zeros;
  }
  const bool integer = raw.element.isInteger();
  for (int64_t i = 0; i < raw.count; ++i)
    zeros += integer ? raw.integer(i) == 0 : raw.real(i) == 0;
  return zeros;
}

void recordStatistics(dend::NetworkOp network) {
  int64_t parameters = 0, bytes = 0, weights = 0, zeros = 0, dense = 0;
  for (auto constant : network.getOps<dend::ConstantOp>()) {
    auto type = cast<RankedTensorType>(constant.getType());
    parameters += type.getNumElements();
    if (type.getElementType().isIntOrFloat())
      bytes +=
          type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
  }
  llvm::DenseSet<Operation *> counted; // a shared constant is one parameter
  for (auto project : network.getOps<dend::ProjectOp>()) {
    auto constant =
        project.getWeightAttr()
            ? SymbolTable::lookupNearestSymbolFrom<dend::ConstantOp>(
                  project, project.getWeightAttr())
            : dend::ConstantOp();
    if (!constant)
      continue;
    auto type = cast<RankedTensorType>(constant.getType());
    dense += usesOf(project, type);
    if (!counted.insert(constant).second)
      continue;
    weights += type.getNumElements();
    if (auto raw = constant.getValueAttr()
                       ? dend::rawElements(constant.getValueAttr())
                       : std::nullopt)
      zeros += countZeros(*raw) * (raw->count == 1 ? type.getNumElements() : 1);
  }
  Builder builder(network.getContext());
  auto entry = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  network->setAttr(
      "statistics",
      builder.getDictionaryAttr(
          {entry("parameters", parameters), entry("parameter_bytes", bytes),
           entry("connection_weights", weights), entry("zero_weights", zeros),
           entry("dense_synops_per_tick", dense)}));
}

/// The branches of a population's neurons.
static ArrayAttr branchRows(Builder &builder, dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  SmallVector<Attribute> rows;
  model.getBlock().walk([&](dend::BranchOp branch) {
    Type state = branch.getState().getType();
    auto range = branch.getRange();
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    rows.push_back(builder.getDictionaryAttr(
        {number("first", range ? (*range)[0] : 0),
         number("end", range ? (*range)[1] : int64_t(population.getSize())),
         number("modes", dend::elementCount(state)),
         builder.getNamedAttr("complex", builder.getBoolAttr(isa<ComplexType>(
                                             dend::elementType(state))))}));
  });
  return builder.getArrayAttr(rows);
}

void recordLayers(dend::NetworkOp network) {
  Builder builder(network.getContext());
  SmallVector<Attribute> rows;
  for (auto population : network.getOps<dend::PopulationOp>()) {
    SmallVector<Attribute> sources;
    for (auto project : network.getOps<dend::ProjectOp>()) {
      if (project.getTarget() != population.getSymName())
        continue;
      // Without a weight of its own each target has one.
      int64_t synapses = int64_t(population.getSize());
      if (isa<dend::PoolAttr>(project.getSynapses()))
        synapses = usesOf(project, {});
      if (auto weight = project.getWeightAttr())
        if (auto constant =
                SymbolTable::lookupNearestSymbolFrom<dend::ConstantOp>(project,
                                                                       weight))
          synapses =
              usesOf(project, cast<RankedTensorType>(constant.getType()));
      sources.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("name",
                                builder.getStringAttr(project.getSource())),
           builder.getNamedAttr("synapses",
                                builder.getI64IntegerAttr(synapses))}));
    }
    rows.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("population", population.getSymNameAttr()),
         builder.getNamedAttr("neurons", builder.getI64IntegerAttr(
                                             int64_t(population.getSize()))),
         builder.getNamedAttr("branches", branchRows(builder, population)),
         builder.getNamedAttr("sources", builder.getArrayAttr(sources))}));
  }
  network->setAttr("layers", builder.getArrayAttr(rows));
}

} // namespace neurite
