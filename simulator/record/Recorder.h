// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorder keeps outputs and traces, indexed by logical tick and by the
// model's numbers of neurons. Each sample owns its part of every array, and
// each group its part of that, so that they may be recorded from different
// threads; of spikes each thread of a sample keeps its own. Outputs that lie in
// files are held for the ticks that are not over yet, and leave in blocks of
// ticks.

#ifndef NEURITE_SIMULATOR_RECORD_RECORDER_H
#define NEURITE_SIMULATOR_RECORD_RECORDER_H

#include "simulator/RunOptions.h"
#include "simulator/RunResult.h"
#include "simulator/functional/machine/Step.h"
#include "simulator/record/SortSpikes.h"
#include "simulator/record/Traces.h"

#include <cstdint>
#include <vector>

namespace neurite::sim {

class Recorder {
public:
  /// Lays out the arrays of all outputs and traces. With `spikes` every
  /// emission is kept, too. Throws Error for a trace of an unknown population
  /// (those known are named) or state, and when the arrays would exceed 2^31
  /// values together. So many threads as there are `shares` record a sample.
  Recorder(const Machine &machine, const std::vector<TraceRequest> &traces,
           uint64_t samples, uint64_t ticks, bool spikes = false,
           const OutputStore &store = {}, size_t shares = 1);

  /// Is called before the first step of a sample.
  void startSample(uint64_t sample) {
    if (hasFiles && shares > 1)
      openWindows(sample);
  }

  /// Is called after updateGroup() and stores what outputs and traces show of
  /// this visit. After sendUnits(), with `more`, it adds the units to what
  /// `tick` has emitted. `share` is the number of the calling thread.
  void record(uint64_t sample, uint32_t group, uint64_t tick,
              const State &state, const GroupUpdate &update, bool more = false,
              size_t share = 0);

  /// Is called when `steps` steps of a sample are done, and lets go of ticks
  /// that nothing can be added to any more. Without files it has nothing to do.
  void finishSteps(uint64_t sample, uint64_t steps) {
    if (hasFiles)
      writeTicks(sample, steps);
  }

  /// Writes or reads what was recorded of a sample (runtime/host/Wire.h), but for
  /// what lies in files, which processes share.
  template <typename Stream> void visit(Stream &stream, uint64_t sample) {
    auto part = [&](auto &values) {
      const size_t each = values.size() / samples;
      stream.items(values.data() + sample * each, each);
    };
    for (OutputData &output : outputs)
      part(output.values);
    for (TraceData &trace : traces)
      part(trace.values);
    uint64_t lists = spikesOf.size() / samples; // those of the writer
    stream.plain(lists);
    for (uint64_t list = 0; list < lists; ++list)
      stream.block(spikesOf[sample * shares + list % shares].events);
  }

  std::vector<OutputData> outputs;
  std::vector<TraceData> traces;
  /// Is called when everything is recorded, and gives all spikes by sample, in
  /// their order.
  std::vector<std::vector<SpikeEvent>> takeSpikes();

private:
  /// This says what a trace shows of a group.
  struct Shown {
    uint32_t trace = 0;
    bool emitted = true;   // whether it is an output and not a state
    uint32_t part = 0;     // index of the output or state (u, v)
    uint32_t elements = 1; // of a neuron
  };
  /// Notes where the groups of the population have the state or output that
  /// the next trace shows, and returns its elements of a neuron.
  uint32_t show(const TraceSource &source,
                const Machine::Population &population);
  /// `values` are those of the whole population in this tick.
  void recordTrace(const Shown &shown, int64_t *values,
                   const Machine::Group &group, const State &state,
                   const GroupUpdate &update, bool more) const;

  /// Root ticks of a sample whose rows of one output are not in its file yet.
  struct Window {
    uint64_t first = 0; // such root tick
    std::vector<double> rows;
  };
  /// Values that an output has in a root tick.
  uint64_t widthOf(uint32_t output) const;
  /// An output's values of a population's tick.
  double *rowOf(uint32_t output, uint64_t sample, uint64_t tick);
  std::vector<double> emptyWindow(uint32_t output) const;
  /// Makes room for all outputs of a sample at once, as threads that share it
  /// must not.
  void openWindows(uint64_t sample);
  void writeTicks(uint64_t sample, uint64_t steps);

  const Machine &machine;
  const size_t shares;
  /// By sample and share; empty where spikes are not kept.
  std::vector<KeptSpikes> spikesOf;
  bool hasFiles = false;
  std::vector<std::vector<Window>> windows; // by sample, output
  uint64_t samples, ticks;                  // ticks are of the root clock
  std::vector<std::vector<Shown>> tracesOf; // by group
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_RECORD_RECORDER_H
