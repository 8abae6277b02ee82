// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step message by message. Where receivers are slower than senders, queues
// fill up, first messages block those behind them, and engines stall: no sum of
// loads says how long that takes.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H

#include "compiler/mapping/objective/ReplayStep.h"

#include "targets/loader/Target.h"

#include <memory>

namespace dendrolith {

/// When the last core has updated, the last message has arrived and the last
/// one is served, in ps from the step's opening.
struct StepEnd {
  double updated = 0, arrived = 0, served = 0;
  uint32_t core = 0; ///< index in the cores that closes the step
};

/// Each message is one flit in a mesh of input buffers with credits, as
/// targets/timing.md says; times are not rounded up to a grid, and routers that
/// act at the same instant do so in order of their tiles. There is no
/// multicast.
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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H
