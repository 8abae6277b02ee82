// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorder keeps outputs and traces, indexed by logical tick and by the
// model's numbers of neurons. Each sample owns its part of every array, and
// each group its part of that. So they may be recorded from different threads.
// Each thread of a sample keeps its own spikes. Of outputs and traces that lie
// in files only ticks that are not over yet are held (TickWindows.h).

#ifndef DENDROLITH_SIMULATOR_RECORD_RECORDER_H
#define DENDROLITH_SIMULATOR_RECORD_RECORDER_H

#include "simulator/functional/machine/Bands.h"
#include "simulator/functional/machine/Step.h"
#include "simulator/options/RunOptions.h"
#include "simulator/record/SortSpikes.h"
#include "simulator/record/TickWindows.h"
#include "simulator/record/Traces.h"
#include "simulator/result/RunResult.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::sim {

// Whether memory has room for what a run records until its end.

/// Adds samples * ticks * width to `used`, values that lie in memory until the
/// end of a run, and returns them. Throws Error that says how much memory they
/// take where they are more than 2^31 or take more than half of the machine's.
uint64_t reserveValues(uint64_t &used, uint64_t samples, uint64_t ticks,
                       uint64_t width, const std::string &name);

class Recorder {
public:
  /// Lays out the arrays of all outputs and traces. With `spikes` every
  /// emission is kept, too. Throws Error for a trace of an unknown population
  /// (those known are named) or state, and when the arrays would exceed 2^31
  /// values together. So many threads as there are `shares` record a sample.
  Recorder(const Machine &machine, const std::vector<TraceRequest> &traces,
           uint64_t samples, uint64_t ticks, bool spikes = false,
           const Stores &stores = {}, size_t shares = 1);

  /// Is called before the first step of a sample.
  void startSample(uint64_t sample) {
    if (shares > 1) // they must not make room themselves
      eachWindow([&](auto &window) { window.open(sample); });
  }

  /// Is called after updateGroup() and stores what outputs and traces show of
  /// this visit. After sendUnits(), with `more`, it adds the units to what
  /// `tick` has emitted. `share` is the number of the calling thread.
  void record(uint64_t sample, uint32_t group, uint64_t tick,
              const State &state, const GroupUpdate &update, bool more = false,
              size_t share = 0);

  /// The same after updateBand(), of whose groups no output shows anything.
  void record(uint64_t sample, const Band &band, uint64_t tick,
              const State &state, const BandUpdate &update, size_t share);

  /// From now on a tick may be recorded again, each event that it consists of.
  void repeatTicks() { repeats = true; }

  /// Is called when `steps` steps of a sample are done, and lets go of ticks
  /// that nothing can be added to any more. Without files it has nothing to do.
  void finishSteps(uint64_t sample, uint64_t steps) {
    if (hasFiles)
      eachWindow([over = ticksOver(steps), sample](auto &window) {
        window.write(sample, over);
      });
  }

  /// Writes or reads what was recorded of a sample (runtime/host/Wire.h), but
  /// for what lies in files, which processes share.
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
      visitSpikes(stream, spikesOf[sample * shares + list % shares].spikes);
  }

  std::vector<OutputData> outputs;
  std::vector<TraceData> traces;
  /// Is called when everything is recorded, and gives all spikes by sample, in
  /// their order.
  std::vector<SpikeList> takeSpikes();

private:
  /// This says what a trace shows of a group.
  struct Shown {
    uint32_t trace = 0;
    bool emitted = true;   // whether it is an output and not a state
    uint32_t part = 0;     // index of the output or state (u, v)
    uint32_t elements = 1; // of a neuron
  };
  /// Returns the states and outputs of all groups of a population. A state may
  /// be in some groups only, those that have its branch, and reads 0 in the
  /// others.
  static Traceable traceableOf(const Machine &machine,
                               const Machine::Population &population);
  /// Notes where the groups of the population have the state or output that
  /// the next trace shows, and returns its elements of a neuron.
  uint32_t show(const TraceSource &source,
                const Machine::Population &population);
  /// Whether a state has more than 32 bits. What is emitted has no more, and
  /// the fixed-function neuron's states have 24.
  bool isWide(const TraceSource &source,
              const Machine::Population &population) const;
  /// `values` are those of the whole population in this tick.
  template <typename Value>
  void recordTrace(const Shown &shown, Value *values,
                   const Machine::Group &group, const State &state,
                   const GroupUpdate &update, bool more) const;
  /// Calls record(values) with those of the whole population in this tick.
  template <typename Record>
  void inRow(uint32_t trace, uint64_t sample, uint64_t tick, Record record);
  void recordTraces(uint64_t sample, uint32_t group, uint64_t tick,
                    const State &state, const GroupUpdate &update, bool more);
  void recordTraces(uint64_t sample, const Band &band, uint64_t tick,
                    const State &state, const BandUpdate &update);

  /// Writes a list, or adds what another process has written to it.
  template <typename Stream>
  static void visitSpikes(Stream &stream, SpikeList &spikes) {
    if constexpr (Stream::reads) {
      SpikeList more;
      more.visit(stream);
      more.each([&](const SpikeEvent &event) { spikes.add(event); });
    } else {
      spikes.visit(stream);
    }
  }

  /// A state that became 0 is not sent, and leaves what the tick had before.
  void clearStates(uint64_t sample, const Machine::Group &group, uint64_t tick);
  /// Gives what lies in memory its zeros.
  void makeRoom();
  /// Values of a population's tick: of an output, and of a trace.
  double *rowOf(uint32_t output, uint64_t sample, uint64_t tick);
  /// Root ticks that have taken all of their steps when `steps` are done.
  uint64_t ticksOver(uint64_t steps) const;
  template <typename Data, typename Window>
  void openFile(const Data &of, std::optional<Window> &into, uint64_t width);
  template <typename Visit> void eachWindow(Visit visit) {
    for (auto &window : outputWindows)
      if (window)
        visit(*window);
    for (auto &window : traceWindows)
      if (window)
        visit(*window);
    for (auto &window : wideWindows)
      if (window)
        visit(*window);
  }

  const Machine &machine;
  const size_t shares;
  /// By sample and share; empty where spikes are not kept.
  std::vector<KeptSpikes> spikesOf;
  /// Empty for what lies in memory.
  std::vector<std::optional<TickWindows<double>>> outputWindows;
  std::vector<std::optional<TickWindows<int32_t>>> traceWindows;
  std::vector<std::optional<TickWindows<int64_t>>> wideWindows;
  bool hasFiles = false, repeats = false;
  uint64_t samples, ticks;                  // ticks are of the root clock
  std::vector<std::vector<Shown>> tracesOf; // by group
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_RECORDER_H
