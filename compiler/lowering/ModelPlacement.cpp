// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/ModelPlacement.h"

#include "dialects/dend/Constants.h"

using namespace mlir;

namespace neurite {

FailureOr<std::vector<Slice>> modelPlacement(const LoweredNetwork &network) {
  std::vector<Slice> slices;
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    dend::PopulationOp population = network.populations[p].op;
    std::optional<ElementsAttr> attr = population.getCores();
    if (!attr)
      return std::vector<Slice>();
    auto cores = dend::readInts(*attr);
    if (failed(cores) || cores->size() != population.getSize())
      return population.emitError("its cores are no integers, one for each of ")
             << population.getSize() << " neurons";
    for (uint32_t n = 0; n < cores->size(); ++n) {
      int64_t core = (*cores)[n];
      if (core < 0 || core > INT32_MAX)
        return population.emitError("neuron ") << n << " is on core " << core;
      if (n == 0 || core != (*cores)[n - 1])
        slices.push_back({p, n, 0, uint32_t(core), 0});
      ++slices.back().count;
    }
  }
  return slices;
}

} // namespace neurite
