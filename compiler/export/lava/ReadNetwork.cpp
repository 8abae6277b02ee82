// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/ReadNetwork.h"

#include "compiler/lowering/Engines.h"
#include "compiler/pipelines/Diagnostics.h"
#include "compiler/transforms/network/Synapses.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include <fmt/format.h>

using namespace mlir;

namespace dendrolith::lava {
namespace {

dend::SpikeType spikeOf(dend::ProjectOp project, Wire &wire) {
  mlir::Operation *source = dend::symbolOf(project, project.getSourceAttr());
  if (auto input = dyn_cast<dend::InputOp>(source))
    return cast<dend::SpikeType>(input.getSpike());
  dend::NeuronOp model = dend::modelOf(cast<dend::PopulationOp>(source));
  int output = project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
  wire.output = model.getOutput(output).getName().str();
  return model.getOutput(output).getType();
}

/// Gives weight << shift, which must leave a bit of room for sums.
int64_t shifted(int64_t weight, uint64_t shift, dend::ProjectOp project) {
  if (weight != 0 &&
      (shift > 61 || std::abs(weight) > (INT64_MAX >> 1 >> shift)))
    throw Error(fmt::format("projection @{} -> @{}: a weight of {} << {} "
                            "leaves 64 bits",
                            project.getSource().str(),
                            project.getTarget().str(), weight, shift));
  return weight == 0 ? 0 : weight * (int64_t(1) << shift);
}

Wire readWire(dend::ProjectOp project) {
  Wire wire;
  wire.source = project.getSource().str();
  wire.target = project.getTarget().str();
  wire.port = project.getPort().str();
  dend::SpikeType spike = spikeOf(project, wire);
  if (spike.getKind() == dend::SpikeKind::Graded)
    throw Error(fmt::format("projection @{} -> @{} carries real numbers; "
                            "quantise the network",
                            wire.source, wire.target));
  wire.low = spike.getLow();
  wire.high = spike.getHigh();
  wire.delay = int64_t(project.getDelay());
  wire.sources = sourceElements(project);
  wire.targets = targetElements(project);
  wire.dense = isa<dend::DenseAttr>(project.getSynapses());
  wire.diagonal = isa<dend::DiagonalAttr>(project.getSynapses());
  uint64_t shift = project.getShift();
  if (project.getProductShift())
    throw Error(fmt::format("projection @{} -> @{} shifts each product right, "
                            "which no synapse of Lava does",
                            wire.source, wire.target));
  if (wire.diagonal && !project.getWeight()) {
    for (uint32_t k = 0; k < wire.targets; ++k) {
      wire.targetOf.push_back(k);
      wire.sourceOf.push_back(k);
      wire.weights.push_back(shifted(1, shift, project));
    }
    return wire;
  }
  DiagnosticsAsError errors(project.getContext());
  auto arrays = readSynapses<int64_t>(project);
  errors.check(arrays, "the weights of a projection cannot be read");
  for (size_t k = 0; k < arrays->size(); ++k)
    wire.weights.push_back(shifted(arrays->weight(k), shift, project));
  wire.targetOf = std::move(arrays->target);
  wire.sourceOf = std::move(arrays->source);
  if (auto conv = dyn_cast<dend::ConvAttr>(project.getSynapses())) {
    auto weight =
        dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
    wire.window = dend::windowOf(
        conv, cast<RankedTensorType>(weight.getType()).getShape());
    for (int64_t w : arrays->weights)
      wire.kernel.push_back(shifted(w, shift, project));
  }
  return wire;
}

} // namespace

std::vector<Wire> readWires(dend::NetworkOp network) {
  std::vector<Wire> wires;
  for (auto project : network.getOps<dend::ProjectOp>())
    wires.push_back(readWire(project));
  return wires;
}

std::optional<CubaNumbers> readCubaNumbers(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  Block &block = model.getBlock();
  if (!llvm::hasNItems(block.without_terminator(), 1) ||
      !isa<dend::CubaOp>(block.front()))
    return std::nullopt;
  auto cuba = cast<dend::CubaOp>(block.front());
  auto yield = cast<dend::YieldOp>(block.getTerminator());
  for (unsigned i = 0; i < model.getStateArgs().size(); ++i) {
    mlir::Value state = model.getStateArgs()[i], next = yield.getStates()[i];
    bool inPlace = (state == cuba.getU() && next == cuba.getNextU()) ||
                   (state == cuba.getV() && next == cuba.getNextV()) ||
                   (state == cuba.getR() && next == cuba.getNextR());
    auto reset = dyn_cast<StringAttr>(model.getState(i).getReset());
    if (!inPlace || !reset || reset != "sample" ||
        (state == cuba.getR() && model.getState(i).getInit()))
      return std::nullopt;
  }
  if (model.getPortArgs().size() != 1 ||
      cuba.getInput() != model.getPortArgs()[0] ||
      model.getStateArgs().size() != 3 || yield.getEmitted().size() > 1 ||
      (yield.getEmitted().size() == 1 &&
       yield.getEmitted()[0] != cuba.getSpike()))
    return std::nullopt;
  DiagnosticsAsError errors(population.getContext());
  auto table = readCuba(population, model);
  errors.check(table, "the parameters of a population cannot be read");
  CubaNumbers numbers;
  numbers.decayU = std::move(table->decayU);
  numbers.decayV = std::move(table->decayV);
  numbers.threshold = std::move(table->threshold);
  numbers.bias = std::move(table->bias);
  numbers.startU = std::move(table->startU);
  numbers.startV = std::move(table->startV);
  numbers.inputWrapBits = cuba.getInputWrapBits();
  numbers.currentBits = cuba.getCurrentBits();
  numbers.refractory = cuba.getRefractory();
  numbers.vmin = int64_t(cuba.getVmin());
  numbers.vmax = int64_t(cuba.getVmax());
  numbers.openHigh = cuba.getWrap() == dend::WrapRange::OpenHigh;
  numbers.biasWrap = cuba.getBiasWrap();
  numbers.silent = cuba.getSilent();
  return numbers;
}

} // namespace dendrolith::lava
