// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Shapes.h"

#include "dialects/dend/Bindings.h"
#include "dialects/dend/NetworkIndex.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace dendrolith::session {
namespace {

using Json = nlohmann::ordered_json;

std::string kindOf(mlir::Attribute synapses) {
  return mlir::isa<dend::ConvAttr>(synapses)       ? "convolution"
         : mlir::isa<dend::PoolAttr>(synapses)     ? "pooling"
         : mlir::isa<dend::SparseAttr>(synapses)   ? "sparse"
         : mlir::isa<dend::DiagonalAttr>(synapses) ? "diagonal"
                                                   : "dense";
}

mlir::RankedTensorType typeOf(dend::ProjectOp project,
                              mlir::FlatSymbolRefAttr name) {
  auto constant = name ? dend::symbolOf<dend::ConstantOp>(project, name)
                       : dend::ConstantOp();
  return constant ? mlir::cast<mlir::RankedTensorType>(constant.getType())
                  : mlir::RankedTensorType();
}

std::optional<dend::Window> windowOf(dend::ProjectOp project) {
  if (auto pool = mlir::dyn_cast<dend::PoolAttr>(project.getSynapses()))
    return dend::windowOf(pool);
  auto conv = mlir::dyn_cast<dend::ConvAttr>(project.getSynapses());
  if (auto weight = typeOf(project, project.getWeightAttr()); conv && weight)
    return dend::windowOf(conv, weight.getShape());
  return std::nullopt;
}

Json windowJson(const dend::Window &window) {
  return {{"input", window.input},
          {"output", {window.channels, window.output(0), window.output(1)}},
          {"kernel", window.kernel},
          {"stride", window.stride},
          {"padding", window.padding},
          {"dilation", window.dilation},
          {"groups", window.groups}};
}

/// Values that are stored: a convolution has one for each channel.
int64_t biasesOf(dend::ProjectOp project,
                 const std::optional<dend::Window> &window) {
  auto type = typeOf(project, project.getBiasAttr());
  return !type ? 0 : window ? window->channels : type.getNumElements();
}

} // namespace

void addShapes(Json &layers, dend::NetworkOp network) {
  dend::NetworkIndex index(network);
  for (Json &layer : layers) {
    auto population = network.lookupSymbol<dend::PopulationOp>(
        layer.at("population").get<std::string>());
    if (!population)
      continue;
    size_t number = 0;
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      if (number >= layer.at("sources").size())
        break;
      Json &source = layer.at("sources")[number++];
      if (source.at("name") != project.getSource().str())
        continue;
      const std::optional<dend::Window> window = windowOf(project);
      source["kind"] = kindOf(project.getSynapses());
      source["biases"] = biasesOf(project, window);
      source["window"] = window ? windowJson(*window) : Json();
    }
  }
}

} // namespace dendrolith::session
