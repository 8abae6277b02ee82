// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both engines return the same from a run: plain structs, which stand below all
// that fills, prints or transfers them.

#ifndef DENDROLITH_SIMULATOR_RESULT_RUNRESULT_H
#define DENDROLITH_SIMULATOR_RESULT_RUNRESULT_H

#include "runtime/arrays/ValueFile.h"
#include "runtime/image/Program.h"
#include "simulator/events/Counts.h"
#include "simulator/events/SpikeCounter.h"
#include "simulator/result/SpikeList.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace dendrolith::sim {

/// This is one output of the program. Its values lie in row-major order of
/// (samples, ticks of its population's clock, *shape).
struct OutputData {
  std::string name;
  image::Output::Kind kind = image::Output::SPIKES;
  std::vector<uint64_t> shape;
  uint64_t ticks = 1; // of the population's clock per root tick
  /// They are emitted integers, or a probed state divided by the population's
  /// scale.
  std::vector<double> values;
  bool integer = true; // whether all values are integers, as spikes are
  /// Where they are more than memory should hold, they lie here, and `values`
  /// is empty.
  std::shared_ptr<ValueFile> file;

  uint64_t size() const { return file ? file->size() : values.size(); }
};

/// Values of an output in pieces, wherever they lie.
class ValueReader {
public:
  static constexpr size_t kPiece = 1 << 13;
  explicit ValueReader(const OutputData &output) : output(output) {}

  /// The `count` values from `first` on, which the next call may overwrite.
  const double *at(uint64_t first, size_t count) {
    if (!output.file)
      return output.values.data() + first;
    piece.resize(count);
    output.file->get(first, piece.data(), count);
    return piece.data();
  }

private:
  const OutputData &output;
  std::vector<double> piece;
};

/// Calls take(values, first, count) with pieces of the values [first, end) of
/// an output, in order.
template <typename Take>
void eachPiece(const OutputData &output, uint64_t first, uint64_t end,
               Take take) {
  ValueReader reader(output);
  for (uint64_t at = first; at < end; at += ValueReader::kPiece) {
    const size_t count = std::min<uint64_t>(ValueReader::kPiece, end - at);
    take(reader.at(at, count), at, count);
  }
}

/// Whether two outputs have the same values.
inline bool sameValues(const OutputData &a, const OutputData &b) {
  if (a.size() != b.size())
    return false;
  ValueReader other(b);
  bool same = true;
  eachPiece(a, 0, a.size(), [&](const double *x, uint64_t first, size_t n) {
    same = same && std::equal(x, x + n, other.at(first, n));
  });
  return same;
}

/// A trace is named "node" or "node:state". Its values lie in row-major order
/// of (samples, ticks of the population's clock, size).
struct TraceData {
  std::string name, population, state;
  uint64_t size = 0;
  uint64_t ticks = 1; // of the population's clock per root tick
  bool wide = false;  // whether its numbers may take more than 32 bits
  bool real = false;  // whether they are reals, as only an interpreter has them
  std::vector<int64_t> values;
  /// Where the run has written them, if it did; `values` is empty then.
  std::shared_ptr<ValueFile> file;
};

/// The critical path of one step (cycle engine) has parts that follow each
/// other, in ps; in each part one core or link was the last.
struct StepTime {
  static constexpr uint32_t nobody = UINT32_MAX;

  uint64_t update = 0, receive = 0, noc = 0, barrier = 0;
  /// Part of `noc`: how long the engine that updated last waited for a port
  /// that had just passed a flit.
  uint64_t portWait = 0;
  /// The core that updated last had a message that nobody could take, because
  /// the receiver or a buffer on the way was full. No part of `update` or
  /// `noc`.
  uint64_t waiting = 0;
  /// What the system around the cores adds to the step. Neither it nor what
  /// follows from it is in the times of cores and mesh.
  uint64_t management = 0;
  uint32_t updateCore = nobody, receiveCore = nobody; // ids
  /// These tiles are the ends of the last link of the flit that left the mesh
  /// last. The same tile twice is its local port.
  uint32_t linkFrom = nobody, linkTo = nobody;

  /// Until everything is quiet.
  uint64_t work() const { return update + waiting + noc + receive; }
  /// How long cores and mesh took, from one opening to the next.
  uint64_t length() const { return work() + barrier; }
};

/// This says how long the engines of a core worked in a run, in ps (cycle
/// engine).
struct CoreActivity {
  uint64_t core = 0; // id
  /// The update engine worked for `updating`, of which it waited `stalled` for
  /// its port. The receive engine worked for `receiving`.
  uint64_t updating = 0, stalled = 0, receiving = 0;
};

/// This says what a link between two routers carried (cycle engine). The same
/// tile twice is its local port, to its cores.
struct LinkActivity {
  uint32_t from = 0, to = 0; // tiles
  uint64_t flits = 0;
  uint64_t busy = 0; // ps: one interval for each flit
  /// All flits together waited so many ps in the buffer before they were sent.
  uint64_t waited = 0;
};

/// A slice of time of a step, for a picture of it. The host is the core
/// `TimelineSlice::host`.
struct TimelineSlice {
  static constexpr uint32_t host = UINT32_MAX;

  enum Kind : uint32_t { Update, Input, Stalled, Receive, Mesh, Barrier };
  uint64_t start = 0, length = 0; // ps
  uint32_t core = 0;              // id; 0 for mesh and barrier
  Kind kind = Update;
  /// What was sent in an update, or served in a receive with its synapses.
  uint64_t messages = 0, synops = 0;
  bool operator<(const TimelineSlice &o) const {
    // The longer one stands first, because it encloses the other.
    return std::tie(start, o.length, kind, core) <
           std::tie(o.start, length, o.kind, o.core);
  }
};

/// What went from one core to another in a step. The last of it was served in
/// the slice that begins at `served`; what sent it began at `sent`.
struct TimelineFlow {
  uint32_t from = 0, to = 0; // ids
  uint64_t messages = 0, sent = 0, served = 0;
};

/// So many messages waited for a core or were served by it, from `time` on.
struct TimelineQueue {
  uint64_t time = 0;
  uint64_t core = 0, messages = 0;
};

/// A step of a timeline, from its opening to the end of its barrier.
struct TimelineStep {
  uint64_t sample = 0, step = 0, start = 0, end = 0;
  /// Spikes that went to cores and values that went to the host, and what the
  /// host sent.
  uint64_t spikes = 0, values = 0, inputs = 0;
  /// Cores that did something, and those of them that the slices show.
  uint64_t cores = 0, shown = 0;
  std::vector<TimelineSlice> slices; // rising start
  std::vector<TimelineFlow> flows;   // by cores
  std::vector<TimelineQueue> queues; // rising time
  std::vector<LinkCount> links;      // that carried something

  /// Lines of a file that the step takes.
  uint64_t rows() const {
    return slices.size() + 2 * flows.size() + queues.size() + 2 * links.size() +
           3;
  }
};

struct Timeline {
  std::vector<TimelineStep> steps;            // rising start
  uint64_t asked = 0;                         // steps that were asked for
  std::vector<std::array<uint32_t, 2>> tiles; // of each core: id, tile
};

/// NeuroBench's metrics (record/NeuroBench.h computes them). The static metrics
/// are of the float model, as it was imported. The workload metrics are of the
/// execution on the chip: its spikes, its integer weights (one that
/// quantisation made zero counts as zero) and its membrane v.
struct NeuroBench {
  uint64_t footprint = 0; // bytes of parameters and buffers, zeros included
  uint64_t parameterCount = 0;
  /// This is the share of zero weights among all weights of connection layers,
  /// rounded to 3 decimals as the harness does. A network without weights has
  /// none.
  std::optional<double> connectionSparsity;
  /// This is the share of silent activations among all, over all populations
  /// that can fire, ticks and samples. Where no population can fire, there is
  /// none.
  std::optional<double> activationSparsity;
  /// These are operations per sample, summed over its ticks. A layer call (an
  /// input at one tick) with an element other than -1, 0, 1 counts as MACs as a
  /// whole.
  double dense = 0, effectiveMacs = 0, effectiveAcs = 0;
  /// A sample counts all its neurons at the first tick, then each change of v.
  double membraneUpdates = 0;
};

/// What a chip without steps has taken, of all samples.
struct EventCounts {
  struct Taken {
    uint64_t tick = 0;
    std::string source; // an input or a population; "" for a tick without one
    uint64_t element = 0;
  };
  uint64_t places = 0; // of its queue
  uint64_t taken = 0, lost = 0;
  static constexpr uint64_t told = 10000; // in `order`, at the most
  std::vector<std::vector<Taken>> order;  // of the first ones, by sample
};

struct RunResult {
  uint64_t samples = 0, ticks = 0;
  uint64_t steps = 0;                // of the longest sample
  std::optional<EventCounts> events; // where there are no steps
  std::vector<OutputData> outputs;   // in the program's order
  std::vector<TraceData> traces;     // in the order asked for
  /// They are kept on request: by sample, rising.
  std::vector<SpikeList> spikes;
  Counts counts;
  Attribution attribution; // of the same counts to layers
  /// By sample; without resets, which are between samples, and stalls.
  std::vector<CoreCounts> sampleCounts;
  Saturations saturations;
  std::vector<SpikeValues> spikeValues; // in order of population
  NeuroBench neuroBench;
  Warnings warnings; // what an engine found that a user should know

  // Only the cycle engine fills these. Elsewhere they are empty or 0.
  uint64_t timePs = 0;                   // of the whole run, resets included
  std::vector<uint64_t> sampleLatencyPs; // by sample
  std::vector<std::vector<StepTime>> stepTimes; // by sample, step
  std::vector<CoreActivity> coreActivity;       // by id
  std::vector<LinkActivity> linkActivity;       // by from, to; used ones
  Timeline timeline;
};

/// What the system around the cores adds to a sample of a run with a clock.
inline uint64_t managementOf(const std::vector<StepTime> &steps) {
  uint64_t ps = 0;
  for (const StepTime &step : steps)
    ps += step.management;
  return ps;
}

/// The time of the whole run on its system: `timePs` is that of cores and mesh.
inline uint64_t systemPs(const RunResult &run) {
  uint64_t ps = run.timePs;
  for (const std::vector<StepTime> &steps : run.stepTimes)
    ps += managementOf(steps);
  return ps;
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RESULT_RUNRESULT_H
