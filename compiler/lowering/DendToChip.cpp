// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-to-chip: maps an integer network and writes its tables as chip ops.

#include "compiler/lowering/ChipWriter.h"
#include "compiler/lowering/ModelPlacement.h"
#include "compiler/lowering/Passes.h"
#include "compiler/lowering/Reorder.h"
#include "compiler/mapping/MappingMemo.h"
#include "compiler/mapping/search/Tiles.h"
#include "compiler/transforms/network/Refusal.h"

#include "dialects/chip/Chip.h"
#include "dialects/dend/LastUse.h"
#include "dialects/dend/NetworkIndex.h"

#include "runtime/host/Heap.h"

namespace neurite {
#define GEN_PASS_DEF_DENDTOCHIP
#include "compiler/lowering/Passes.h.inc"

namespace {
using namespace mlir;

struct DendToChipPass : impl::DendToChipBase<DendToChipPass> {
  using DendToChipBase::DendToChipBase;
  DendToChipPass(DendToChipOptions options, SharedTarget chip,
                 std::shared_ptr<const SearchControl> control,
                 MappingMemo *memo, bool keeps)
      : DendToChipBase(std::move(options)), chip(std::move(chip)),
        control(std::move(control)), memo(memo), keeps(keeps) {}

  void runOnOperation() override {
    for (auto network :
         llvm::make_early_inc_range(getOperation().getOps<dend::NetworkOp>()))
      if (failed(lower(network)))
        return signalPassFailure();
  }

  LogicalResult lower(dend::NetworkOp network) {
    try {
      Target onto = chip.getOr(target);
      for (const std::string &limit : overrideLimit)
        onto.overrideLimit(limit);
      MappingOptions options;
      options.solver = solver;
      options.placementFile = placement;
      options.minCores = minCores;
      options.maxCores = maxCores;
      options.goal = mapFor;
      options.timing = timing;
      options.costs = costs;
      options.constraintsFile = constraints;
      options.mapFrom = mapFrom;
      options.maxMoves = maxMoves;
      options.seed = seed;
      options.seconds = seconds;
      options.threads = threads;
      options.control = control;
      auto lowered = toMapNetwork(network, onto);
      if (failed(lowered))
        return failure();
      const bool isLast = dend::isLastUse(network);
      if (isLast)
        releaseSynapses(network);
      auto ofModel = modelPlacement(*lowered);
      if (failed(ofModel))
        return failure();
      options.model = std::move(*ofModel);
      auto numbers = modelNumbers(*lowered);
      if (failed(numbers))
        return failure();
      options.numbers = std::move(*numbers);
      Fit<Mapping> mapping =
          memo ? memo->map(lowered->map, onto,
                           {overrideLimit.begin(), overrideLimit.end()},
                           options, keeps)
               : mapNetwork(lowered->map, onto, options);
      if (!mapping) {
        const Misfit &misfit = mapping.misfit();
        return refuse(emitError(network.getLoc()) << misfit.message,
                      Refusal{misfit.clause(), misfit.oneNeuron,
                              misfit.resource, misfit.used, misfit.limit});
      }
      lowered->tiles =
          tilesAmong(lowered->map, mapping->order, mapping->slices);
      reorder(*lowered, mapping->order);
      mapping->order = numbersByPosition(*lowered, options.numbers);
      ChipTables tables = buildTables(*lowered, *mapping, onto.synapses);
      // The tables have all of them.
      lowered->map.projections = {};
      chip::ProgramImageOp image =
          writeChip(network, onto, *lowered, *mapping, tables);
      if (isLast)
        dend::markLastUse(image);
      returnFreed(); // the out-axons of each source were a piece of their own
    } catch (const Error &error) {
      return emitError(network.getLoc()) << error.what();
    }
    network.erase();
    return success();
  }

private:
  /// Lets go of constants that the network to map has now.
  static void releaseSynapses(dend::NetworkOp network) {
    for (auto project : network.getOps<dend::ProjectOp>())
      for (auto symbol : {project.getWeightAttr(), project.getIndicesAttr()})
        if (symbol)
          if (auto constant = dend::symbolOf<dend::ConstantOp>(project, symbol))
            dend::releaseElements(constant.getValueAttr());
  }

  SharedTarget chip;
  std::shared_ptr<const SearchControl> control;
  MappingMemo *memo = nullptr;
  bool keeps = false;
};
} // namespace

std::unique_ptr<mlir::Pass>
createDendToChip(DendToChipOptions options, SharedTarget chip,
                 std::shared_ptr<const SearchControl> control,
                 MappingMemo *memo, bool keeps) {
  return std::make_unique<DendToChipPass>(std::move(options), std::move(chip),
                                          std::move(control), memo, keeps);
}

} // namespace neurite
