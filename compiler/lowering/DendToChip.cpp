// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-to-chip: maps an integer network and writes its tables as chip ops.

#include "compiler/lowering/ChipWriter.h"
#include "compiler/lowering/ModelPlacement.h"
#include "compiler/lowering/Passes.h"

namespace neurite {
#define GEN_PASS_DEF_DENDTOCHIP
#include "compiler/lowering/Passes.h.inc"

namespace {
using namespace mlir;

struct DendToChipPass : impl::DendToChipBase<DendToChipPass> {
  using DendToChipBase::DendToChipBase;

  void runOnOperation() override {
    for (auto network :
         llvm::make_early_inc_range(getOperation().getOps<dend::NetworkOp>()))
      if (failed(lower(network)))
        return signalPassFailure();
  }

  LogicalResult lower(dend::NetworkOp network) {
    try {
      Target chip = Target::load(target);
      for (const std::string &limit : overrideLimit)
        chip.overrideLimit(limit);
      MappingOptions options;
      options.solver = solver;
      options.placementFile = placement;
      options.minCores = minCores;
      auto lowered = toMapNetwork(network, chip, /*tileMaps=*/false);
      if (failed(lowered))
        return failure();
      auto ofModel = modelPlacement(*lowered);
      if (failed(ofModel))
        return failure();
      options.model = std::move(*ofModel);
      Mapping mapping;
      try {
        mapping = mapNetwork(lowered->map, chip, options);
      } catch (const Error &) {
        // Feature maps may fit in tiles; placements that are given count
        // neurons.
        if (!placement.empty() || !options.model.empty())
          throw;
        auto tiled = toMapNetwork(network, chip, /*tileMaps=*/true);
        if (failed(tiled) || tiled->tiles.empty())
          throw;
        lowered = std::move(tiled);
        mapping = mapNetwork(lowered->map, chip, options);
      }
      ChipTables tables = buildTables(*lowered, mapping, chip.synapses);
      writeChip(network, chip, *lowered, mapping, tables);
    } catch (const Error &error) {
      return emitError(network.getLoc()) << error.what();
    }
    network.erase();
    return success();
  }
};
} // namespace
} // namespace neurite
