// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user asks of a compilation.

#ifndef DENDROLITH_COMPILER_PIPELINES_COMPILEOPTIONS_H
#define DENDROLITH_COMPILER_PIPELINES_COMPILEOPTIONS_H

#include "compiler/transforms/quantise/QuantiserOptions.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith {

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_COMPILEOPTIONS_H
