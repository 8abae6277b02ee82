// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/RemoveNeurons.h"

#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/network/Synapses.h"

#include "dialects/dend/Constants.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace mlir;

namespace dendrolith {
namespace {

/// New numbers of what is left of `count` elements, -1 for what goes.
using Renumbering = std::vector<int64_t>;

Renumbering allOf(int64_t count) {
  Renumbering all(size_t(count), 0);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int64_t countLeft(const Renumbering &numbers) {
  return std::count_if(numbers.begin(), numbers.end(),
                       [](int64_t n) { return n >= 0; });
}

/// The elements that stay of neurons with `each` elements: those of `ids` go.
Renumbering without(ArrayRef<int64_t> ids, int64_t neurons, int64_t each) {
  Renumbering numbers(size_t(neurons * each), -1);
  int64_t next = 0;
  for (int64_t n = 0; n < neurons; ++n)
    if (!std::binary_search(ids.begin(), ids.end(), n))
      for (int64_t e = 0; e < each; ++e)
        numbers[size_t(n * each + e)] = next++;
  return numbers;
}

template <typename T>
std::vector<T> left(const std::vector<T> &values, const Renumbering &rows) {
  std::vector<T> kept;
  size_t width = values.size() / rows.size();
  for (size_t r = 0; r < rows.size(); ++r)
    if (rows[r] >= 0)
      kept.insert(kept.end(), values.begin() + std::ptrdiff_t(r * width),
                  values.begin() + std::ptrdiff_t((r + 1) * width));
  return kept;
}

bool touches(dend::ProjectOp project, dend::PopulationOp population) {
  return project.getSource() == population.getSymName() ||
         project.getTarget() == population.getSymName();
}

class Removal {
public:
  Removal(dend::PopulationOp population, ArrayRef<int64_t> ids)
      : population(population), ids(ids), all(dend::modelOf(population)),
        size(int64_t(population.getSize())) {}

  LogicalResult run() {
    if (failed(shrinkParameters()))
      return failure();
    for (auto project :
         llvm::make_early_inc_range(all.network.getOps<dend::ProjectOp>()))
      if (touches(project, population) && failed(shrink(project)))
        return failure();
    shrinkRates();
    population.setSize(uint64_t(size) - ids.size());
    population.removeShapeAttr();
    return success();
  }

private:
  FlatSymbolRefAttr constant(StringRef name, ArrayRef<int64_t> shape,
                             Type element, const std::vector<int64_t> &values) {
    auto type = RankedTensorType::get(shape, element);
    return all.addConstant(population, name, type,
                           dend::makeElements(type, name, values));
  }

  FailureOr<std::vector<int64_t>> integers(Operation *user,
                                           Attribute symbol) const {
    auto values = dend::readInts(user, symbol);
    if (failed(values))
      return user->emitError("its constant ")
             << symbol << " cannot be read as integers";
    return values;
  }

  void shrinkRates() {
    std::optional<ElementsAttr> rates = population.getRates();
    auto kept = shrunk(rates ? dend::readReals(*rates)
                             : FailureOr<std::vector<double>>(failure()));
    // Nothing is known by neuron, of ticks neither.
    if (!kept)
      return;
    population.setRatesAttr(dend::makeElements(
        vectorOf(kept->size(), Float64Type::get(population.getContext())),
        (population.getSymName() + ".rates").str(), *kept));
    std::optional<ElementsAttr> ticks = population.getActivity();
    if (auto kept = shrunk(ticks ? dend::readInts(*ticks)
                                 : FailureOr<std::vector<int64_t>>(failure())))
      population.setActivityAttr(dend::makeElements(
          vectorOf(kept->size(), IntegerType::get(population.getContext(), 64)),
          (population.getSymName() + ".activity").str(), *kept));
  }

  static RankedTensorType vectorOf(size_t size, Type element) {
    return RankedTensorType::get({int64_t(size)}, element);
  }

  /// Values by output element without those of the neurons that go. Neurons
  /// whose output is one literal share a value, which stays.
  template <class T>
  std::optional<std::vector<T>> shrunk(FailureOr<std::vector<T>> values) const {
    if (failed(values) || int64_t(values->size()) < size)
      return std::nullopt;
    return left(*values, without(ids, size, int64_t(values->size()) / size));
  }

  LogicalResult shrinkParameters() {
    dend::NeuronOp model = all.model;
    Renumbering rows = without(ids, size, 1);
    for (unsigned i = 0; i < model.getParams().size(); ++i) {
      if (!model.getParam(i).getPerNeuron())
        continue;
      StringRef name = model.getParam(i).getName().getValue();
      Attribute symbol = all.bound(population, name);
      auto values = integers(population, symbol);
      if (failed(values))
        return failure();
      auto type = cast<RankedTensorType>(all.constant(symbol).getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[0] = countLeft(rows);
      all.bind(population, name,
               constant((population.getSymName() + "." + name).str(), shape,
                        type.getElementType(), left(*values, rows)));
    }
    return success();
  }

  /// Rows and columns of a projection from or to the population, or both.
  LogicalResult shrink(dend::ProjectOp project) {
    Renumbering targets = allOf(targetElements(project)),
                sources = allOf(sourceElements(project));
    if (project.getTarget() == population.getSymName())
      targets = without(ids, size, int64_t(targets.size()) / size);
    if (project.getSource() == population.getSymName())
      sources = without(ids, size, int64_t(sources.size()) / size);
    auto synapses = readSynapses<int64_t>(project);
    if (failed(synapses))
      return failure();
    std::string name = (project.getTarget() + "." + project.getPort() + "." +
                        project.getSource())
                           .str();
    if (project.getBiasAttr()) {
      auto bias = integers(project, project.getBiasAttr());
      if (failed(bias))
        return failure();
      auto type =
          cast<RankedTensorType>(all.constant(project.getBiasAttr()).getType());
      project.setBiasAttr(constant(name + ".b", {countLeft(targets)},
                                   type.getElementType(),
                                   left(*bias, targets)));
    }
    Type element = IntegerType::get(project.getContext(), 8); // of ones
    if (project.getWeightAttr())
      element = cast<RankedTensorType>(
                    all.constant(project.getWeightAttr()).getType())
                    .getElementType();
    // (source, target, weight) of those left, in the order of memory.
    std::vector<std::tuple<int64_t, int64_t, int64_t>> kept;
    for (size_t k = 0; k < synapses->size(); ++k) {
      int64_t target = targets[synapses->target[k]],
              source = sources[synapses->source[k]];
      if (target >= 0 && source >= 0)
        kept.push_back({source, target, synapses->weight(k)});
    }
    if (isa<dend::DenseAttr>(project.getSynapses())) {
      int64_t columns = countLeft(sources);
      std::vector<int64_t> weights(size_t(countLeft(targets) * columns), 0);
      for (auto [source, target, weight] : kept)
        weights[size_t(target * columns + source)] = weight;
      project.setWeightAttr(constant(name + ".W", {countLeft(targets), columns},
                                     element, weights));
      return success();
    }
    if (kept.empty())
      kept.push_back({0, 0, 0});
    std::sort(kept.begin(), kept.end());
    std::vector<int64_t> weights, indices;
    for (auto [source, target, weight] : kept) {
      weights.push_back(weight);
      indices.push_back(target);
      indices.push_back(source);
    }
    auto count = int64_t(weights.size());
    project.setSynapsesAttr(dend::SparseAttr::get(project.getContext()));
    project.setWeightAttr(constant(name + ".W", {count}, element, weights));
    project.setIndicesAttr(constant(name + ".at", {count, 2},
                                    IntegerType::get(project.getContext(), 32),
                                    indices));
    return success();
  }

  dend::PopulationOp population;
  ArrayRef<int64_t> ids;
  BoundModel all;
  int64_t size;
};

} // namespace

std::string whyNotRemovable(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  for (unsigned i = 0; i < model.getStates().size(); ++i)
    if (isa_and_nonnull<FlatSymbolRefAttr>(model.getState(i).getInit()))
      return "has initial values of each neuron";
  for (Type type : model.getBlock().getArgumentTypes())
    if (dend::isReal(type) || dend::isComplex(type))
      return "computes in reals";
  bool ranges = false;
  model.getBlock().walk(
      [&](dend::BranchOp op) { ranges |= bool(op.getRange()); });
  model.getBlock().walk(
      [&](dend::CableOp op) { ranges |= bool(op.getRange()); });
  if (ranges)
    return "has branches for a range of neurons";
  auto network = population->getParentOfType<dend::NetworkOp>();
  for (auto project : network.getOps<dend::ProjectOp>())
    if (touches(project, population) &&
        isa<dend::ConvAttr, dend::PoolAttr>(project.getSynapses()))
      return "meets a convolution or pooling";
  return "";
}

LogicalResult removeNeurons(dend::PopulationOp population,
                            ArrayRef<int64_t> ids) {
  return Removal(population, ids).run();
}

} // namespace dendrolith
