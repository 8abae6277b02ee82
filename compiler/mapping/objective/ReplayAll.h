// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All steps of a mapping that are replayed.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYALL_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYALL_H

#include "compiler/mapping/objective/Replay.h"

namespace dendrolith {

class SpareThreads;

/// How each of the steps ends, of the first `most` of them: those that are
/// alike are replayed once, and none depends on another one. The arguments are
/// those of Replay, `threads` may be null: one after the other, which
/// StepRecorderTest holds the same.
std::vector<StepEnd> replayAll(const std::vector<ReplayStep> &steps,
                               size_t most, const std::vector<uint32_t> &cores,
                               const Target &target, const TimingSet &timing,
                               SpareThreads *threads);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYALL_H
