// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/FeatureMaps.h"

#include "dialects/dend/NetworkIndex.h"

using namespace mlir;

namespace dendrolith {

static MapGrid gridOf(const dend::Window &window) {
  return {uint32_t(window.channels), uint32_t(window.output(0)),
          uint32_t(window.output(1))};
}

MapGrid gridOf(dend::PopulationOp population) {
  for (dend::ProjectOp project : dend::projectionsInto(population)) {
    if (auto pool = dyn_cast<dend::PoolAttr>(project.getSynapses()))
      return gridOf(dend::windowOf(pool));
    auto conv = dyn_cast<dend::ConvAttr>(project.getSynapses());
    auto weight =
        conv
            ? dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr())
            : dend::ConstantOp();
    if (weight)
      return gridOf(dend::windowOf(
          conv, cast<RankedTensorType>(weight.getType()).getShape()));
  }
  return {};
}

} // namespace dendrolith
