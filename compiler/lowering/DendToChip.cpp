// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-to-chip: maps an integer network and writes its tables as chip ops.

#include "compiler/lowering/ChipWriter.h"
#include "compiler/lowering/MapJob.h"
#include "compiler/lowering/Passes.h"
#include "compiler/lowering/Reorder.h"
#include "compiler/mapping/candidates/Tiles.h"

#include "dialects/chip/Chip.h"
#include "dialects/dend/LastUse.h"
#include "dialects/dend/NetworkIndex.h"

namespace dendrolith {
#define GEN_PASS_DEF_DENDTOCHIP
#include "compiler/lowering/Passes.h.inc"

namespace {
using namespace mlir;

struct DendToChipPass : impl::DendToChipBase<DendToChipPass> {
  using DendToChipBase::DendToChipBase;
  DendToChipPass(DendToChipOptions options, SharedTarget chip,
                 std::shared_ptr<const SearchControl> control,
                 MappingMemo *memo, MapJob *job)
      : DendToChipBase(std::move(options)), chip(std::move(chip)),
        control(std::move(control)), memo(memo), wanted(job) {}

  void runOnOperation() override {
    for (auto network :
         llvm::make_early_inc_range(getOperation().getOps<dend::NetworkOp>()))
      if (failed(lower(network)))
        return signalPassFailure();
  }

  LogicalResult lower(dend::NetworkOp network) {
    try {
      const bool isLast = !wanted && dend::isLastUse(network);
      auto job = mapJobOf(network, chip.getOr(target),
                          {overrideLimit.begin(), overrideLimit.end()}, asked(),
                          isLast);
      if (failed(job))
        return failure();
      if (wanted) {
        *wanted = std::move(*job);
        return success();
      }
      Fit<Mapping> mapping =
          memo ? memo->map(job->request())
               : mapNetwork(job->lowered.map, job->onto, job->options);
      if (!mapping)
        return refuse(network, mapping.misfit());
      write(network, *job, *mapping, isLast);
    } catch (const Error &error) {
      return emitError(network.getLoc()) << error.what();
    }
    network.erase();
    return success();
  }

private:
  MappingOptions asked() const {
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
    return options;
  }

  static void write(dend::NetworkOp network, MapJob &job, Mapping &mapping,
                    bool isLast) {
    LoweredNetwork &lowered = job.lowered;
    lowered.tiles = tilesAmong(lowered.map, mapping.order, mapping.slices);
    reorder(lowered, mapping.order);
    mapping.order = numbersByPosition(lowered, job.options.numbers);
    ChipTables tables =
        buildTables(lowered, mapping, job.onto.synapses, job.options.threads);
    // The tables have all of them.
    lowered.map.projections = {};
    chip::ProgramImageOp image =
        writeChip(network, job.onto, lowered, mapping, tables);
    if (isLast)
      dend::markLastUse(image);
  }

  SharedTarget chip;
  std::shared_ptr<const SearchControl> control;
  MappingMemo *memo = nullptr;
  MapJob *wanted = nullptr;
};
} // namespace

std::unique_ptr<mlir::Pass>
createDendToChip(DendToChipOptions options, SharedTarget chip,
                 std::shared_ptr<const SearchControl> control,
                 MappingMemo *memo, MapJob *job) {
  return std::make_unique<DendToChipPass>(std::move(options), std::move(chip),
                                          std::move(control), memo, job);
}

} // namespace dendrolith
