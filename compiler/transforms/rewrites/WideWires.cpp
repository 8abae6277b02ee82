// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/WideWires.h"

#include "compiler/transforms/quantise/QuantiseSynapses.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace mlir;

namespace dendrolith {
namespace {

FlatSymbolRefAttr symbol(dend::PopulationOp population) {
  return FlatSymbolRefAttr::get(population.getSymNameAttr());
}

unsigned elementBits(dend::ConstantOp constant) {
  return cast<RankedTensorType>(constant.getType()).getElementTypeBitWidth();
}

/// A synapse as (source, target, weight), in the order of a sparse constant.
using Synapse = std::array<int64_t, 3>;

void setSparse(dend::ProjectOp project, std::vector<Synapse> synapses,
               const std::string &name, unsigned bits) {
  // A projection without synapses stays for its bias.
  if (synapses.empty())
    synapses.push_back({0, 0, 0});
  std::sort(synapses.begin(), synapses.end());
  std::vector<int64_t> weights, indices;
  for (const Synapse &synapse : synapses) {
    weights.push_back(synapse[2]);
    indices.insert(indices.end(), {synapse[1], synapse[0]});
  }
  ConstantMaker constants(project);
  int64_t count = int64_t(synapses.size());
  project.setSynapsesAttr(dend::SparseAttr::get(project.getContext()));
  project.setWeightAttr(constants.make(name, {count}, bits, weights));
  project.setIndicesAttr(constants.make(name + ".at", {count, 2}, 32, indices));
  project.setShared(false);
}

/// All synapses of a sparse or diagonal projection.
FailureOr<std::vector<Synapse>> readSynapses(dend::ProjectOp project,
                                             int64_t targets) {
  std::vector<int64_t> weights(size_t(targets), 1), indices;
  if (project.getWeightAttr()) {
    auto read = dend::readInts(project, project.getWeightAttr());
    if (failed(read))
      return failure();
    weights = std::move(*read);
  }
  bool sparse = isa<dend::SparseAttr>(project.getSynapses());
  if (sparse) {
    auto read = dend::readInts(project, project.getIndicesAttr());
    if (failed(read))
      return failure();
    indices = std::move(*read);
  }
  std::vector<Synapse> synapses;
  for (size_t i = 0; i < weights.size(); ++i)
    synapses.push_back(
        sparse ? Synapse{indices[2 * i + 1], indices[2 * i], weights[i]}
               : Synapse{int64_t(i), int64_t(i), weights[i]});
  return synapses;
}

LogicalResult cut(dend::ProjectOp project, const std::vector<int64_t> &targets,
                  int64_t all, const std::string &name) {
  auto constant =
      dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
  unsigned bits = constant ? elementBits(constant) : 16;
  ConstantMaker constants(project);
  if (auto attr = project.getBiasAttr()) {
    auto bias = dend::readInts(project, attr);
    if (failed(bias))
      return project.emitError("its bias has no readable integer values");
    std::vector<int64_t> some;
    for (int64_t t : targets)
      some.push_back((*bias)[size_t(t)]);
    project.setBiasAttr(
        constants.make(name + ".bias", {int64_t(some.size())}, 64, some));
  }
  if (isa<dend::DenseAttr>(project.getSynapses())) {
    auto weights = dend::readInts(project, project.getWeightAttr());
    if (failed(weights))
      return project.emitError("its weights are no readable integers");
    int64_t sources = int64_t(weights->size()) / all;
    std::vector<int64_t> some;
    for (int64_t t : targets)
      some.insert(some.end(), weights->begin() + t * sources,
                  weights->begin() + (t + 1) * sources);
    project.setWeightAttr(
        constants.make(name, {int64_t(targets.size()), sources}, bits, some));
    project.setShared(false);
    return success();
  }
  if (!isa<dend::SparseAttr, dend::DiagonalAttr>(project.getSynapses()))
    return project.emitError("a projection whose targets share weights cannot "
                             "be divided between parts of a neuron");
  auto synapses = readSynapses(project, all);
  if (failed(synapses))
    return project.emitError("its weights are no readable integers");
  std::map<int64_t, int64_t> at;
  for (auto [i, t] : llvm::enumerate(targets))
    at[t] = int64_t(i);
  std::vector<Synapse> some;
  for (const Synapse &its : *synapses)
    if (auto found = at.find(its[1]); found != at.end())
      some.push_back({its[0], found->second, its[2]});
  setSparse(project, std::move(some), name, bits);
  return success();
}

} // namespace

void joinPieces(dend::PopulationOp from, const PieceOutput &output,
                dend::PopulationOp to, const PieceInput &input) {
  int64_t neurons = int64_t(from.getSize());
  std::map<int64_t, int64_t> at;
  for (auto [i, position] : llvm::enumerate(input.positions))
    at[position] = int64_t(i);
  int64_t sources = int64_t(output.positions.size()),
          targets = int64_t(input.positions.size());
  std::vector<Synapse> synapses;
  for (int64_t n = 0; n < neurons; ++n)
    for (auto [i, position] : llvm::enumerate(output.positions))
      if (auto found = at.find(position); found != at.end())
        synapses.push_back(
            {n * sources + int64_t(i), n * targets + found->second, 1});
  if (synapses.empty())
    return;
  OpBuilder builder(to->getBlock(), std::next(Block::iterator(to)));
  MLIRContext *context = to.getContext();
  for (const auto &[name, shift] : output.messages) {
    auto project = dend::ProjectOp::create(
        builder, to.getLoc(), symbol(from), builder.getStringAttr(name),
        symbol(to), builder.getStringAttr(input.port),
        dend::DiagonalAttr::get(context), FlatSymbolRefAttr(),
        FlatSymbolRefAttr(), FlatSymbolRefAttr(), builder.getI64IntegerAttr(0),
        builder.getI64IntegerAttr(shift));
    std::string wanted = fmt::format("{}.{}", from.getSymName().str(), name);
    if (output.positions == input.positions)
      project.setWeightAttr(ConstantMaker(project).make(
          wanted, {neurons * sources}, 16,
          std::vector<int64_t>(size_t(neurons * sources), 1)));
    else
      setSparse(project, synapses, wanted, 16);
  }
}

LogicalResult copyInto(dend::ProjectOp project, dend::PopulationOp to,
                       const PieceInput &input, int64_t elements) {
  OpBuilder builder(project);
  auto copy = cast<dend::ProjectOp>(builder.clone(*project));
  copy.setTargetAttr(symbol(to));
  copy.setPortAttr(builder.getStringAttr(input.port));
  if (int64_t(input.positions.size()) == elements)
    return success();
  std::vector<int64_t> targets;
  for (int64_t n = 0; n < int64_t(to.getSize()); ++n)
    for (int64_t position : input.positions)
      targets.push_back(n * elements + position);
  return cut(copy, targets, int64_t(to.getSize()) * elements,
             to.getSymName().str() + "." + input.port);
}

FlatSymbolRefAttr rangeOf(dend::PopulationOp population, dend::NeuronOp model,
                          const PieceParam &param, int64_t low, int64_t high) {
  StringAttr name = model.getParam(param.param).getName();
  auto bound = cast<FlatSymbolRefAttr>(population.getParamsAttr().get(name));
  if (param.axis < 0)
    return bound;
  auto constant = dend::symbolOf<dend::ConstantOp>(population, bound);
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(constant.getType()).getShape());
  int axis = param.axis + (model.getParam(param.param).getPerNeuron() ? 1 : 0);
  std::vector<int64_t> all = *dend::readInts(population, bound), some;
  for (int64_t position : positionsOf(shape, axis, low, high))
    some.push_back(all[size_t(position)]);
  shape[size_t(axis)] = high - low;
  return ConstantMaker(population)
      .make(fmt::format("{}.{}", bound.getValue().str(), low), shape,
            elementBits(constant), some);
}

} // namespace dendrolith
