// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines of Pipelines.h as steps of a Compilation.

#ifndef DENDROLITH_COMPILER_PIPELINES_STAGES_H
#define DENDROLITH_COMPILER_PIPELINES_STAGES_H

#include "compiler/lowering/MapJob.h"
#include "compiler/mapping/MappingMemo.h"
#include "runtime/host/Signals.h"
#include "targets/loader/Target.h"

#include "compiler/transforms/quantise/QuantiserOptions.h"
#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith {

// What a user asks of a compilation.

struct SearchControl;

struct CompileOptions {
  /// The chip: its name or its file.
  std::string target = "ideal";
  /// File that pins slices to cores; where it is empty, the solver decides.
  std::string placement;
  /// Without a name the model's own placement is taken, else "default".
  std::string solver;
  /// Limits of the chip that the mapping may exceed, by name.
  std::vector<std::string> overrideLimits;
  /// How integers travel: "graded", "unary", or "auto" as the chip can.
  std::string spikes = "auto";
  /// Bits of weights: "4" for all, "8,4,4" for each projection in order,
  /// "L1=4,R=8" by name; empty for as many as the chip has. And of the states
  /// of neurons that run as programs, by population, and of real-valued inputs,
  /// for which empty stands for 8, or what whole numbers need.
  std::string weightBits, stateBits, inputBits;
  /// How weights become integers.
  QuantiserOptions quantiser;
  /// The least number of cores to use; 0 leaves it to the mapper.
  unsigned minCores = 0;
  unsigned maxCores = 0; ///< 0 = all of the chip
  /// What the mapping shall minimise: balanced, time, energy, edp or cores.
  /// Without it a model's own placement stays, and others are balanced.
  std::string mapFor;
  /// Names of the timing set and of the cost table that steps are predicted
  /// with; "" for the chip's own.
  std::string timing, costs;
  /// File of pins, groups, dead cores and room that stays free; may be empty.
  std::string constraints;
  /// Image or placement of an earlier mapping to start from; may be empty.
  std::string mapFrom;
  uint64_t maxMoves = 0; ///< from the cores of mapFrom; 0 = any number
  uint64_t mapSeed = 1;
  double mapSeconds = 0; ///< after which the best mapping so far is taken
  /// Threads of the mapper's search; 0 is one per processor. They change no
  /// byte of the result.
  unsigned threads = 1;
  /// Who watches the mapper's search and may end it; may be null.
  std::shared_ptr<const SearchControl> control;
  /// Rewrites to apply, by name (Rewrites.h).
  std::vector<std::string> rewrites;
  /// What becomes of a dendrite that is too wide for a core: "wide" leaves it
  /// whole, a number or sizes (5+6+5) split it, "auto" goes by cost.
  std::string splitDendrite = "auto";
};

/// A float network in the form that is calibrated and quantised.
mlir::LogicalResult prepareNetwork(mlir::ModuleOp module);

/// A prepared network for a chip without programs: populations whose arithmetic
/// is a neuron that such a chip may have are that neuron again.
mlir::LogicalResult raiseNetwork(mlir::ModuleOp module);

/// The integers of `chip` in place of a prepared network that has its bits by
/// layer; its weights are first chosen on the calibration samples `inputs`, as
/// `quantiser` says, which is without "auto".
mlir::LogicalResult
quantiseNetwork(mlir::ModuleOp prepared, const CompileOptions &options,
                const SharedTarget &chip,
                const std::map<std::string, Samples> &inputs,
                const QuantiserOptions &quantiser);

/// Phases, period and connection delays of an integer network.
mlir::LogicalResult scheduleNetwork(mlir::ModuleOp fixed,
                                    const CompileOptions &options,
                                    const SharedTarget &chip);

/// The chip without the limits that `options` override. Throws Error for a
/// limit that there is not.
Target withoutLimits(const SharedTarget &chip, const CompileOptions &options);

/// The chip's tables in place of a scheduled network. Mappings that `memo` has
/// are not searched for again.
mlir::LogicalResult mapOntoChip(mlir::ModuleOp fixed,
                                const CompileOptions &options,
                                const SharedTarget &chip, MappingMemo &memo);

/// What mapOntoChip() would ask the mapper; the network stays as it is.
mlir::LogicalResult prepareToMap(mlir::ModuleOp fixed,
                                 const CompileOptions &options,
                                 const SharedTarget &chip, MapJob &job);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_STAGES_H
