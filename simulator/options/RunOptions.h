// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be asked of a run, the same for both engines.

#ifndef DENDROLITH_SIMULATOR_OPTIONS_RUNOPTIONS_H
#define DENDROLITH_SIMULATOR_OPTIONS_RUNOPTIONS_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::sim {

// Cores of a program side by side, as a thread or a process has them.

/// Cores [first, end) of a program.
struct CoreShare {
  uint32_t first = 0, end = 0;
  bool has(uint32_t core) const { return core - first < end - first; }
};

} // namespace dendrolith::sim

namespace dendrolith {
class Ranks;
class ValueFile;
} // namespace dendrolith

namespace dendrolith::sim {

struct TraceRequest {
  std::string population;
  std::string state; // "" = emitted values, else "u" or "v" after the update
};

class ProgramCompiler;
struct OutputData;
struct TraceData;
using OutputStore = std::function<std::shared_ptr<ValueFile>(
    const OutputData &output, uint64_t values)>;
using TraceStore = std::function<void(std::vector<TraceData> &traces,
                                      uint64_t samples, uint64_t ticks)>;

/// Where what is recorded goes while a run goes on. Empty ones leave it in
/// memory.
struct Stores {
  /// Says where so many values of an output go: into a file, or into memory
  /// (null).
  OutputStore outputs;
  /// Gives each of the traces a file, or none of them, when their sizes are
  /// known; ticks are of the root clock.
  TraceStore traces;
};

/// A timeline shows the longest steps of those that are asked for, as many as
/// fit into so many rows; with 0 none is wanted. Ends are not included.
struct TimelineRequest {
  uint64_t rows = 0;
  uint64_t firstSample = 0, endSample = UINT64_MAX;
  uint64_t firstStep = 0, endStep = UINT64_MAX;
};

struct RunOptions {
  /// The cycle engine accumulates again on arrival and compares at each
  /// barrier.
  bool verify = false;
  /// The timing set that the cycle engine takes; "" is the target's default.
  std::string timing;
  std::vector<TraceRequest> traces;
  /// The cycle engine asks where all cores share one barrier.
  Stores stores;
  /// Every emission is recorded, too; nothing is counted for that.
  bool spikes = false;
  /// What RunResult::timeline shows; the cycle engine fills it.
  TimelineRequest timeline;
  /// For tests, the cycle engine visits the cores and routers of one instant in
  /// another order. No result may depend on it; 0 visits them by their numbers.
  uint64_t shuffle = 0;
  /// Called now and then with the steps done of all samples together and their
  /// total; never from two threads at a time.
  std::function<void(uint64_t done, uint64_t total)> progress;
  /// Makes machine code of neurons' programs where a run is long enough to pay
  /// for it, or with `alwaysCompile` in any run; null: all programs are
  /// interpreted. The result does not depend on it.
  std::shared_ptr<ProgramCompiler> compiler;
  bool alwaysCompile = false;
  /// How many samples run at a time, in the functional engine by threads and in
  /// the cycle engine by processes; 0 is one per processor. A large network of
  /// which there are fewer samples has several threads for each of them in the
  /// functional engine. The result does not depend on it.
  unsigned threads = 1;
  /// The processes that run the program together, each the same call with its
  /// part of the cores; null: this one alone. The first has the whole result,
  /// which does not depend on how many they are, and the others an empty one.
  Ranks *ranks = nullptr;
  /// The cores of each of them (shareChips()).
  std::vector<CoreShare> rankCores;
  /// With ranks, called when all that this one can refuse is behind it, before
  /// it waits for another.
  std::function<void()> ready;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_OPTIONS_RUNOPTIONS_H
