// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step message by message. Where receivers are slower than senders, queues
// fill up, first messages block those behind them, and engines stall: no sum of
// loads says how long that takes.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H

#include "compiler/mapping/objective/StepRecorder.h"

#include "targets/loader/Target.h"

#include <memory>

namespace dendrolith {

class SpareThreads;

/// When the last core has updated, the last message has arrived and the last
/// one is served, in ps from the step's opening.
struct StepEnd {
  double updated = 0, arrived = 0, served = 0;
  /// Index in the cores in use of the one that is done last; the first of
  /// several.
  uint32_t core = 0;
};

/// Sends messages, each of which is one flit, over the mesh that the cycle
/// engine simulates (targets/mesh/FlitMesh.h). On a chip with multicast, what a
/// source sends to cores at once is one message.
class Replay {
public:
  /// `cores` says on which core each slice lies. Target and timing outlive
  /// this.
  Replay(const std::vector<uint32_t> &cores, const Target &target,
         const TimingSet &timing);
  ~Replay();

  /// A step begins with an empty mesh, whatever ran before it.
  StepEnd run(const ReplayStep &step);

private:
  class Chip;
  std::unique_ptr<Chip> chip;
};

/// How each of the steps ends, of the first `most` of them: those that are
/// alike are replayed once, and none depends on another one. The arguments are
/// those of Replay. `threads` may be null: then steps are replayed one after
/// the other, which StepRecorderTest holds the same.
std::vector<StepEnd> replayAll(const std::vector<ReplayStep> &steps,
                               size_t most, const std::vector<uint32_t> &cores,
                               const Target &target, const TimingSet &timing,
                               SpareThreads *threads);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H
