// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where connections cannot hold the delays of paths that part and meet again:
// chains of relays, which repeat what a source sends. Planned on plain data,
// then put into the network.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_RELAYS_H
#define DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_RELAYS_H

#include "compiler/transforms/schedule/Schedule.h"

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

namespace dendrolith {

struct RelayPlan {
  std::vector<int64_t> hops;     ///< by edge: relays between source and target
  std::vector<int64_t> hopDelay; ///< by source: the delay into each relay
};

/// Relays of each edge, for the period that the network has without a limit of
/// delays: on the longest delays where few are enough, else as the phases of
/// that schedule need them. Nothing where it has no schedule either.
std::optional<RelayPlan> planRelays(const ScheduleProblem &);

/// The problem with its relays behind the other nodes and the edges into them
/// behind the other edges. Edges of one source share its relays.
ScheduleProblem withRelays(const ScheduleProblem &, const RelayPlan &);

/// Puts the relays of a plan into an integer network, whose projections are the
/// edges and whose inputs and populations are the nodes, and warns of what they
/// cost. Throws Error where the chip has no neuron that repeats what a source
/// sends.
void insertRelays(dend::NetworkOp network, const Target &chip,
                  llvm::ArrayRef<mlir::Operation *> nodes,
                  llvm::ArrayRef<dend::ProjectOp> projections,
                  const ScheduleProblem &problem, const RelayPlan &plan);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_RELAYS_H
