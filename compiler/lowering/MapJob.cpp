// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/MapJob.h"

#include "compiler/transforms/network/Refusal.h"
#include "dialects/dend/Constants.h"

using namespace mlir;

namespace dendrolith {

FailureOr<NeuronOrder> modelNumbers(const LoweredNetwork &network) {
  NeuronOrder numbers(network.populations.size());
  for (uint32_t p = 0; p < numbers.size(); ++p) {
    dend::PopulationOp population = network.populations[p].op;
    std::optional<ElementsAttr> attr = population.getNumbers();
    if (!attr)
      continue;
    // The op's verifier has seen that they are a permutation.
    auto values = dend::readInts(*attr);
    if (failed(values))
      return population.emitError("its numbers have no readable value");
    numbers[p].assign(values->begin(), values->end());
  }
  return numbers;
}

FailureOr<std::vector<PlacedRange>>
modelPlacement(const LoweredNetwork &network) {
  std::vector<PlacedRange> ranges;
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    dend::PopulationOp population = network.populations[p].op;
    std::optional<ElementsAttr> attr = population.getCores();
    if (!attr)
      return std::vector<PlacedRange>();
    auto cores = dend::readInts(*attr);
    if (failed(cores) || cores->size() != population.getSize())
      return population.emitError("its cores are no integers, one for each of ")
             << population.getSize() << " neurons";
    for (uint32_t n = 0; n < cores->size(); ++n) {
      int64_t core = (*cores)[n];
      if (core < 0 || core > INT32_MAX)
        return population.emitError("neuron ") << n << " is on core " << core;
      if (n == 0 || core != (*cores)[n - 1])
        ranges.push_back({p, n, 0, uint32_t(core)});
      ++ranges.back().count;
    }
  }
  return ranges;
}

FailureOr<MapJob> mapJobOf(dend::NetworkOp network, Target onto,
                           std::vector<std::string> lifted,
                           MappingOptions options, bool isLast) {
  for (const std::string &limit : lifted)
    onto.overrideLimit(limit);
  auto lowered = toMapNetwork(network, onto, isLast);
  if (failed(lowered))
    return failure();
  auto ofModel = modelPlacement(*lowered);
  if (failed(ofModel))
    return failure();
  options.model = std::move(*ofModel);
  auto numbers = modelNumbers(*lowered);
  if (failed(numbers))
    return failure();
  options.numbers = std::move(*numbers);
  return MapJob{std::move(*lowered), std::move(onto), std::move(lifted),
                std::move(options)};
}

LogicalResult refuse(dend::NetworkOp network, const Misfit &misfit) {
  return refuse(emitError(network.getLoc()) << misfit.message,
                Refusal{misfit.clause(), misfit.oneNeuron, misfit.resource,
                        misfit.used, misfit.limit});
}

} // namespace dendrolith
