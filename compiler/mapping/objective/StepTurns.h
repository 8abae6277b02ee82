// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each core and the host do in each step.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPTURNS_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPTURNS_H

#include "compiler/mapping/objective/StepGraph.h"

namespace dendrolith {

/// What happens on one core in one step, in ps from the step's opening.
struct Turn {
  double update = 0, receive = 0;
  double sent = 0, received = 0; // messages
  double first = -1, last = 0;   // arrivals
};

class StepTurns {
public:
  /// `cores` says on which core each slice lies. The arguments must outlive
  /// this.
  StepTurns(const StepGraph &graph, const std::vector<uint32_t> &cores,
            const Target &target);

  /// Adds what slices do, and what the host hands over; `sendShare` as in
  /// StepGraph::sendsPerMessage.
  void add(const ChipModel &model, double sendShare);

  /// For a chip whose cores do one thing after the other. Each serves what the
  /// step before has sent to it, updates then, and passes its empty slots. A
  /// sequencer of the chip carries what goes to other cores. Returns how long
  /// that takes in each step; empty where there is no sequencer.
  std::vector<double> putInOrder(const SerialPhases &phases,
                                 const TimingSet &timing);

  /// Cores in use by id; the host is behind them.
  const std::vector<uint32_t> &coreIds() const { return ids; }
  size_t ends() const { return turns.size() / graph.steps; }
  const Turn &at(size_t end, uint32_t step) const {
    return turns[end * graph.steps + step];
  }
  /// By step: of a slice or the host.
  Turn *of(uint32_t slice) {
    return turns.data() +
           (slice == host ? ids.size() : endOf[slice]) * graph.steps;
  }
  uint64_t tileOf(uint32_t slice) const {
    return slice == host ? kHostTile : target.tileOf(cores[slice]);
  }

private:
  double emptySlots(size_t core) const;

  const StepGraph &graph;
  const std::vector<uint32_t> &cores;
  const Target &target;
  std::vector<uint32_t> ids;
  std::vector<size_t> endOf; // by slice
  std::vector<Turn> turns;   // by end and step
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPTURNS_H
