// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What slices do in each step that the objective looks at: how long their cores
// update and receive, and which messages go between them. A placement is then
// evaluated without the network.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPGRAPH_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPGRAPH_H

#include "compiler/mapping/objective/ChipModel.h"
#include "compiler/mapping/objective/StepClock.h"
#include "compiler/mapping/objective/StepRecorder.h"
#include "compiler/mapping/result/SliceGraph.h"

namespace dendrolith {

struct StepGraph {
  uint32_t steps = 1;
  bool sampled = false;

  /// By slice and step, in ps; slices are numbered as SliceGraph does.
  std::vector<float> update, receive;

  /// Messages from one slice (or the host) to another (or the host), by step:
  /// messages[flow.at + step].
  struct Flow {
    uint32_t from, to;
    uint64_t at;
  };
  std::vector<Flow> flows;
  std::vector<float> messages;

  std::vector<uint32_t> neurons; ///< by slice
  /// Filled where the phases of a step are serial, so that messages are served
  /// in the next step. The first two are as `messages`: for how many ps they
  /// are served, and how many synapses they have. The third says by slice and
  /// step how often the slice emitted.
  std::vector<float> services, entries, emitted;

  /// Some of the steps message by message, spread over all; none where only
  /// rates are known, or where even one step has too many.
  std::vector<ReplayStep> replayed;

  /// Emissions for each message: less than 1 where messages to several cores
  /// are one on a chip with multicast.
  double sendsPerMessage = 1;

  /// pJ per step that no placement changes: updates, synapses, spikes.
  double workEnergy = 0;

  size_t numSlices() const { return update.size() / steps; }
  /// Mean over the steps.
  double mean(const std::vector<float> &loads, size_t index) const;
};

/// Reads every list once. `starts` as in Split. The network must be checked.
StepGraph buildStepGraph(const MapNetwork &network, const SynapseFormat &format,
                         const std::vector<std::vector<uint32_t>> &starts,
                         const ChipModel &model);

/// What each neuron keeps its core busy with per step on average, in ps, by
/// population: its update and its part of serving the messages to it. Balanced
/// cuts go by it.
std::vector<std::vector<double>> neuronLoads(const MapNetwork &network,
                                             const ChipModel &model);

// What each core and the host do in each step.

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

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPGRAPH_H
