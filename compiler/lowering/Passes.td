// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_LOWERING_PASSES_TD
#define DENDROLITH_COMPILER_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def DendToChip : Pass<"dend-to-chip", "::mlir::ModuleOp"> {
  let summary = "Map a scheduled integer network onto the cores of a target";
  let description = [{
    Splits populations over cores, places them, and replaces the network by one
    `chip.program_image` with a synapse memory and axon tables per core. The
    network must have been through --dend-quantise and --dend-schedule.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"ideal\"", "chip to map onto (name or file)">,
    Option<"placement", "placement", "std::string", "\"\"",
           "file that pins slices of populations to cores">,
    Option<"solver", "solver", "std::string", "\"\"",
           "mapping solver: default, round-robin, packed or iterative-split; without it the "
           "model's own placement, else default">,
    Option<"minCores", "min-cores", "unsigned", "0", "use at least so many cores">,
    Option<"maxCores", "max-cores", "unsigned", "0",
           "use at most so many cores; 0 = all of the target">,
    Option<"mapFor", "map-for", "std::string", "\"\"",
           "what to minimise: balanced, time, energy, edp or cores; without it "
           "the model's own placement, else balanced">,
    Option<"timing", "timing", "std::string", "\"\"",
           "timing set that steps are predicted with; the target's own without it">,
    Option<"costs", "costs", "std::string", "\"\"",
           "cost table that steps are priced with; the target's own without it">,
    Option<"constraints", "map-constraints", "std::string", "\"\"",
           "file of pins, groups, dead cores and room that stays free">,
    Option<"mapFrom", "map-from", "std::string", "\"\"",
           "image or placement of an earlier mapping to start from">,
    Option<"maxMoves", "max-moves", "uint64_t", "0",
           "neurons that may leave their cores of map-from; 0 = any number">,
    Option<"seed", "map-seed", "uint64_t", "1", "seed of the search">,
    Option<"seconds", "map-time", "double", "0",
           "seconds after which the best mapping so far is taken; 0 = no limit">,
    Option<"threads", "threads", "unsigned", "1",
           "threads of the search, which change no byte">,
    ListOption<"overrideLimit", "override-limit", "std::string",
               "limits of the target to lift, by name">];
  let dependentDialects = ["::dendrolith::chip::ChipDialect"];
}

#endif // DENDROLITH_COMPILER_LOWERING_PASSES_TD
