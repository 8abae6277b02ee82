// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executing a program image: what can be asked for and what comes back,
// the same for both engines.

#ifndef NEURITE_SIMULATOR_RUN_H
#define NEURITE_SIMULATOR_RUN_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"
#include "simulator/events/Counts.h"
#include "simulator/record/NeuroBench.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace neurite::sim {

struct TraceRequest {
  std::string population;
  std::string state; // "" = emitted values, else "u" or "v" after the update
};

struct RunOptions {
  /// Cycle engine: accumulate again on arrival and compare at each barrier.
  bool verify = false;
  /// Cycle engine: name of the timing set, "" = the target's default.
  std::string timing;
  std::vector<TraceRequest> traces;
  /// Also record every emission, for which nothing is counted.
  bool spikes = false;
  /// Cycle engine: most slices of RunResult::timeline, 0 = none.
  uint64_t timelineEvents = 0;
  /// Cycle engine, for tests: visits cores and routers of one instant in
  /// another order. No result may depend on it; 0 = by their numbers.
  uint64_t shuffle = 0;
  /// Called now and then with the steps done of all samples together and their
  /// total; never from two threads at a time.
  std::function<void(uint64_t done, uint64_t total)> progress;
  /// Samples executed at a time by the functional engine; 0 = one per
  /// processor. The result does not depend on it.
  unsigned threads = 1;
};

/// One output of the program; values in row-major (samples, ticks of its
/// population's clock, *shape).
struct OutputData {
  std::string name;
  image::Output::Kind kind = image::Output::SPIKES;
  std::vector<uint64_t> shape;
  uint64_t ticks = 1; // of the population's clock per root tick
  /// Emitted integers, or a probed state divided by the population's scale.
  std::vector<double> values;
  bool integer = true; // all values are integers: spikes
};

/// Named "node" or "node:state"; values in row-major (samples, ticks of
/// the population's clock, size).
struct TraceData {
  std::string name, population, state;
  uint64_t size = 0;
  uint64_t ticks = 1; // of the population's clock per root tick
  std::vector<int64_t> values;
};

/// A non-zero value that a neuron emitted.
struct SpikeEvent {
  uint32_t tick = 0;       // of its population's clock, from 0
  uint32_t population = 0; // in the program's order
  uint32_t neuron = 0;     // number in the model's file
  int32_t value = 0;       // 1 for a binary spike
  bool operator<(const SpikeEvent &o) const {
    return std::tie(tick, population, neuron, value) <
           std::tie(o.tick, o.population, o.neuron, o.value);
  }
  bool operator==(const SpikeEvent &o) const {
    return !(*this < o) && !(o < *this);
  }
};

/// How often a range was met. Nothing here is an error.
struct Saturations {
  uint64_t inputs = 0; // payloads beyond an input's range
  std::map<std::string, uint64_t> wrapped, clipped; // u, v; by population
  /// State words of programs at an end of their range after an update.
  std::map<std::string, uint64_t> ended;
};

/// How often each value was emitted, by neuron, element and update. Unary
/// spikes count as the value that they make up.
struct SpikeValues {
  std::string name; // the population; "population:output" for one of several
  int64_t low = 0;  // value of counts[0]; 0 is silence
  std::vector<uint64_t> counts;

  uint64_t updates() const; // the sum of counts
  double meanMagnitude() const;
  double share(int64_t value) const;
};

/// Critical path of one step (cycle engine): parts that follow each other, ps,
/// and who was the last in each. With a local barrier steps overlap: link t of
/// the chain that ends with the sample leads from one core's opening of step t
/// to the opening of step t + 1, there or at a core that waited for it.
struct StepTime {
  static constexpr uint32_t nobody = UINT32_MAX;

  uint64_t update = 0, receive = 0, noc = 0, barrier = 0;
  uint32_t updateCore = nobody, receiveCore = nobody; // ids
  /// The last link of the flit that left the mesh last, by tiles; the same tile
  /// twice is its local port.
  uint32_t linkFrom = nobody, linkTo = nobody;
};

/// How long the engines of a core worked in a run, ps (cycle engine).
struct CoreActivity {
  uint64_t core = 0; // id
  /// The update engine, waiting for its port included; that waiting; and the
  /// receive engine.
  uint64_t updating = 0, stalled = 0, receiving = 0;
  uint64_t waiting = 0; // both, for the words of others (local barrier)
};

/// What a link between two routers carried; the same tile twice is its local
/// port, to its cores (cycle engine).
struct LinkActivity {
  uint32_t from = 0, to = 0; // tiles
  uint64_t flits = 0;
  uint64_t busy = 0;   // ps: one interval for each flit
  uint64_t waited = 0; // ps, all flits: in the buffer before they were sent
};

/// A slice of time for a picture of the run.
struct TimelineEvent {
  /// Waiting: one core, for the words of others (local barrier).
  enum Kind : uint32_t { Update, Stalled, Receive, Mesh, Barrier, Waiting };
  uint64_t start = 0, length = 0; // ps
  uint32_t core = 0;              // id; 0 for mesh and barrier
  Kind kind = Update;
  uint64_t step = 0; // where steps overlap: from the run's beginning
  bool operator<(const TimelineEvent &o) const {
    // The longer first: it encloses the other.
    return std::tie(start, o.length, kind, core) <
           std::tie(o.start, length, o.kind, o.core);
  }
};

struct Timeline {
  std::vector<TimelineEvent> events; // rising start
  uint64_t steps = 0, endPs = 0;     // covered, from the run's beginning
  bool stopped = false;     // the bound was met: later steps are missing
  uint64_t overlapping = 0; // steps of a sample, where steps overlap; else 0
};

struct RunResult {
  uint64_t samples = 0, ticks = 0, steps = 0;  // steps of one sample
  std::vector<OutputData> outputs;             // in the program's order
  std::vector<TraceData> traces;               // in the order asked for
  std::vector<std::vector<SpikeEvent>> spikes; // by sample, rising; if asked
  Counts counts;
  Saturations saturations;
  std::vector<SpikeValues> spikeValues; // in order of population
  NeuroBench neuroBench;

  // Cycle engine only; empty or 0 otherwise.
  uint64_t timePs = 0;                   // of the whole run, resets included
  std::vector<uint64_t> sampleLatencyPs; // by sample
  std::vector<std::vector<StepTime>> stepTimes; // by sample, step
  std::vector<CoreActivity> coreActivity;       // by id
  std::vector<LinkActivity> linkActivity;       // by from, to; used ones
  Timeline timeline;
};

/// A program made ready to run without a clock, any number of times. `target`
/// gives the mesh on which hops are counted.
class FunctionalProgram {
public:
  FunctionalProgram(const image::Program &program, const Target &target);
  /// The same, emptying the synapse and axon tables of `program` once they are
  /// read: all else of it stays.
  FunctionalProgram(image::Program *program, const Target &target);
  ~FunctionalProgram();

  /// The same integers as every other engine. Throws Error for bad input.
  RunResult run(const std::map<std::string, Samples> &inputs,
                const RunOptions &options) const;
  /// Bytes in which synapses are held.
  uint64_t synapseBytes() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

/// Both at once.
RunResult runFunctional(const image::Program &program, const Target &target,
                        const std::map<std::string, Samples> &inputs,
                        const RunOptions &options);

/// In SystemC, in a worker process of its own (simulator/timing).
RunResult runCycle(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &inputs,
                   const RunOptions &options);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_RUN_H
