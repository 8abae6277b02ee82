// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Statistics.h"

#include "dialects/dend/Bindings.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace dendrolith {

/// The synapses of a projection, where every use of a shared weight counts;
/// `weights` is the type of its constant.
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
  // Large networks have integers of 16 bits, which a plain loop counts fast.
  if (raw.element.isInteger(16)) {
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
  if (network.getStatisticsAttr())
    return;
  dend::NetworkIndex index(network);
  int64_t parameters = 0, bytes = 0, weights = 0, zeros = 0, dense = 0;
  for (auto constant : network.getOps<dend::ConstantOp>()) {
    auto type = cast<RankedTensorType>(constant.getType());
    parameters += type.getNumElements();
    if (type.getElementType().isIntOrFloat())
      bytes +=
          type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
  }
  // A constant that several projections share is one set of parameters.
  llvm::DenseSet<Operation *> counted;
  for (auto project : network.getOps<dend::ProjectOp>()) {
    auto constant =
        dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
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
  report::ModelStatisticsAttr::Fields row;
  row.parameters = parameters;
  row.parameter_bytes = bytes;
  row.connection_weights = weights;
  row.zero_weights = zeros;
  row.dense_synops_per_tick = dense;
  network.setStatisticsAttr(
      report::ModelStatisticsAttr::of(network.getContext(), row));
}

/// The branches of a population's neurons.
static std::vector<report::BranchAttr> branches(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  std::vector<report::BranchAttr> rows;
  model.getBlock().walk([&](dend::BranchOp branch) {
    Type state = branch.getState().getType();
    auto range = branch.getRange();
    report::BranchAttr::Fields row;
    row.first = range ? (*range)[0] : 0;
    row.end = range ? (*range)[1] : int64_t(population.getSize());
    row.modes = dend::elementCount(state);
    row.complex = isa<ComplexType>(dend::elementType(state));
    rows.push_back(report::BranchAttr::of(population.getContext(), row));
  });
  return rows;
}

void recordLayers(dend::NetworkOp network) {
  dend::NetworkIndex index(network);
  std::vector<report::LayerAttr::Fields> rows;
  for (auto population : network.getOps<dend::PopulationOp>()) {
    report::LayerAttr::Fields &row = rows.emplace_back();
    row.population = population.getSymName().str();
    row.neurons = int64_t(population.getSize());
    row.branches = branches(population);
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      // A projection without a weight constant has one synapse per target.
      int64_t synapses = int64_t(population.getSize());
      if (isa<dend::PoolAttr>(project.getSynapses()))
        synapses = usesOf(project, {});
      if (auto weight = project.getWeightAttr())
        if (auto constant = dend::symbolOf<dend::ConstantOp>(project, weight))
          synapses =
              usesOf(project, cast<RankedTensorType>(constant.getType()));
      row.sources.push_back(report::SourceAttr::of(
          network.getContext(), {project.getSource().str(), synapses}));
    }
  }
  network.setLayersAttr(
      report::rowsOf<report::LayerAttr>(network.getContext(), rows));
}

} // namespace dendrolith
