// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Synapses.h"

#include "compiler/transforms/network/Names.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace dendrolith {
namespace {

FailureOr<std::vector<double>> readAs(ElementsAttr attr, double) {
  return dend::readReals(attr);
}
FailureOr<std::vector<int64_t>> readAs(ElementsAttr attr, int64_t) {
  return dend::readInts(attr);
}

ElementsAttr valueOf(dend::ProjectOp project, FlatSymbolRefAttr symbol) {
  auto constant = dend::symbolOf<dend::ConstantOp>(project, symbol);
  return constant ? constant.getValueAttr() : ElementsAttr();
}

template <typename Weight>
void readDense(SynapseArrays<Weight> &all, size_t sources) {
  all.target.resize(all.weights.size());
  all.source.resize(all.weights.size());
  for (size_t row = 0, k = 0; k < all.weights.size(); ++row)
    for (size_t s = 0; s < sources; ++s, ++k) {
      all.target[k] = static_cast<uint32_t>(row);
      all.source[k] = static_cast<uint32_t>(s);
    }
}

template <typename Weight>
LogicalResult readSparse(SynapseArrays<Weight> &all, dend::ProjectOp project) {
  ElementsAttr value = valueOf(project, project.getIndicesAttr());
  auto indices = value ? dend::readInts(value)
                       : FailureOr<std::vector<int64_t>>(failure());
  if (failed(indices) || indices->size() != 2 * all.weights.size())
    return project.emitError("its indices cannot be read");
  int64_t targets = targetElements(project), sources = sourceElements(project);
  all.target.reserve(all.weights.size());
  all.source.reserve(all.weights.size());
  for (size_t k = 0; k < all.weights.size(); ++k) {
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

template <typename Weight>
void readWindow(SynapseArrays<Weight> &all, const dend::Window &window,
                bool oneWeight) {
  const auto taps = size_t(window.countTaps());
  all.target.reserve(taps);
  all.source.reserve(taps);
  all.index.reserve(taps);
  window.taps([&](int64_t target, int64_t source, int64_t weight) {
    all.target.push_back(static_cast<uint32_t>(target));
    all.source.push_back(static_cast<uint32_t>(source));
    all.index.push_back(oneWeight ? 0 : static_cast<uint32_t>(weight));
  });
}

/// Reads the window of a convolution, which has `count` weights, or of a
/// pooling.
FailureOr<dend::Window> readWindow(dend::ProjectOp project, size_t count) {
  if (auto pool = dyn_cast<dend::PoolAttr>(project.getSynapses()))
    return dend::windowOf(pool);
  auto constant =
      dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
  dend::Window window =
      dend::windowOf(cast<dend::ConvAttr>(project.getSynapses()),
                     cast<RankedTensorType>(constant.getType()).getShape());
  if (size_t(window.weights()) != count)
    return project.emitError("its weights do not match its window");
  return window;
}

} // namespace

int64_t sourceElements(dend::ProjectOp project) {
  Operation *source = dend::symbolOf(project, project.getSourceAttr());
  if (auto input = dyn_cast_or_null<dend::InputOp>(source))
    return cast<RankedTensorType>(input.getType()).getNumElements();
  auto population = cast<dend::PopulationOp>(source);
  dend::NeuronOp model = dend::modelOf(population);
  int output = project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
  return population.getSize() * model.getOutput(output).getElements();
}

int64_t targetElements(dend::ProjectOp project) {
  auto population =
      dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
  dend::NeuronOp model = dend::modelOf(population);
  int port = model.findPort(project.getPort());
  return population.getSize() *
         dend::elementCount(model.getPortArgs()[port].getType());
}

template <typename Weight>
FailureOr<SynapseArrays<Weight>> readSynapses(dend::ProjectOp project) {
  SynapseArrays<Weight> all;
  Attribute kind = project.getSynapses();
  auto pool = dyn_cast<dend::PoolAttr>(kind);
  if (pool) {
    double area = double(pool.getKernel()[0] * pool.getKernel()[1]);
    all.weights.assign(1, pool.getAverage() ? Weight(1 / area) : Weight(1));
  } else if (!project.getWeightAttr()) { // a diagonal of ones
    all.weights.assign(targetElements(project), Weight(1));
  } else {
    ElementsAttr value = valueOf(project, project.getWeightAttr());
    if (!value)
      return project.emitError("its weights '@")
             << *project.getWeight() << "' have no value; bind them first";
    auto weights = readAs(value, Weight());
    if (failed(weights))
      return project.emitError("its weights '@")
             << *project.getWeight() << "' cannot be read";
    all.weights = std::move(*weights);
  }
  for (size_t k = 0; k < all.weights.size(); ++k)
    if (!std::isfinite(static_cast<double>(all.weights[k])))
      return project.emitError("weight ")
             << k << " of '@" << *project.getWeight() << "' is not finite";
  LogicalResult read = success();
  if (isa<dend::DenseAttr>(kind)) {
    readDense(all, size_t(sourceElements(project)));
  } else if (isa<dend::SparseAttr>(kind)) {
    read = readSparse(all, project);
  } else if (pool || isa<dend::ConvAttr>(kind)) {
    auto window = readWindow(project, all.weights.size());
    if (failed(window))
      return failure();
    readWindow(all, *window, bool(pool));
  } else {
    for (size_t k = 0; k < all.weights.size(); ++k) {
      all.target.push_back(static_cast<uint32_t>(k));
      all.source.push_back(static_cast<uint32_t>(k));
    }
  }
  if (failed(read))
    return failure();
  return all;
}

static FlatSymbolRefAttr addConstant(dend::ProjectOp project, StringRef name,
                                     ElementsAttr value) {
  auto network = project->getParentOfType<dend::NetworkOp>();
  std::string symbol = freeName(network, name.str());
  OpBuilder builder(project);
  dend::ConstantOp::create(builder, project.getLoc(), symbol,
                           value.getShapedType(), value, StringAttr(),
                           DenseI64ArrayAttr());
  return FlatSymbolRefAttr::get(builder.getContext(), symbol);
}

LogicalResult spreadWeights(dend::ProjectOp project) {
  auto synapses = readSynapses<double>(project);
  if (failed(synapses))
    return failure();
  std::vector<size_t> order(synapses->size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return std::make_pair(synapses->source[a], synapses->target[a]) <
           std::make_pair(synapses->source[b], synapses->target[b]);
  });
  std::vector<double> weights;
  std::vector<int64_t> indices;
  for (size_t k : order) {
    weights.push_back(synapses->weight(k));
    indices.push_back(synapses->target[k]);
    indices.push_back(synapses->source[k]);
  }
  Builder builder(project.getContext());
  int64_t count = int64_t(weights.size());
  std::string name = (project.getTarget() + "." + project.getSource()).str();
  auto reals = RankedTensorType::get({count}, builder.getF64Type());
  auto pairs = RankedTensorType::get({count, 2}, builder.getI32Type());
  project.setWeightAttr(
      addConstant(project, name + ".weight",
                  dend::makeElements(reals, name + ".weight", weights)));
  project.setIndicesAttr(
      addConstant(project, name + ".indices",
                  dend::makeElements(pairs, name + ".indices", indices)));
  project.setSynapsesAttr(dend::SparseAttr::get(project.getContext()));
  return success();
}

void poolingToConvolution(dend::ProjectOp project) {
  auto pool = dyn_cast<dend::PoolAttr>(project.getSynapses());
  if (!pool)
    return;
  dend::Window window = dend::windowOf(pool);
  double area = double(window.kernel[0] * window.kernel[1]);
  std::vector<double> weights(size_t(window.weights()),
                              pool.getAverage() ? 1 / area : 1.0);
  Builder builder(project.getContext());
  auto type = RankedTensorType::get(
      {window.channels, 1, window.kernel[0], window.kernel[1]},
      builder.getF64Type());
  std::string name =
      (project.getTarget() + "." + project.getSource() + ".pool").str();
  project.setWeightAttr(
      addConstant(project, name, dend::makeElements(type, name, weights)));
  project.setSynapsesAttr(dend::ConvAttr::get(
      project.getContext(), pool.getInput(), pool.getStride(),
      pool.getPadding(), builder.getDenseI64ArrayAttr({1, 1}),
      window.channels));
}

template FailureOr<SynapseArrays<double>> readSynapses(dend::ProjectOp);
template FailureOr<SynapseArrays<int64_t>> readSynapses(dend::ProjectOp);

} // namespace dendrolith
