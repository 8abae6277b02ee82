// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happened in a run, in the fewest numbers: how often each source
// emitted, and the visits. Messages, hops, words and synaptic operations of an
// emission never change during a run, so they are multiplied out once at the
// end instead of being counted message by message.

#ifndef DENDROLITH_SIMULATOR_EVENTS_EVENTCOUNTER_H
#define DENDROLITH_SIMULATOR_EVENTS_EVENTCOUNTER_H

#include "runtime/host/Heap.h"
#include "simulator/events/Counts.h"
#include "simulator/events/SampleCounter.h"
#include "simulator/events/SpikeCounter.h"
#include "simulator/functional/delivery/Traffic.h"
#include "simulator/functional/machine/Bands.h"
#include "simulator/functional/machine/Inputs.h"
#include "simulator/functional/machine/Machine.h"
#include "simulator/functional/machine/Step.h"
#include "simulator/functional/neuron/Microcode.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith::sim {

/// As what a neuron's emission is counted, and how large it is.
struct SpikeForm {
  Counter counter = Counter::SpikesBinary;
  bool graded = false;
  uint32_t payloadBits = 1;
};

/// The form of what a source of a group's neurons emits. `source` counts the
/// sources of one neuron.
SpikeForm spikeForm(const Machine::Group &group, uint32_t source);

/// Adds the work of programs to a core's counters.
void countWork(CoreCounts &counts, const micro::Work &work, uint64_t issued);

struct Expanded {
  Counts counts;
  Attribution attribution; // of the same
  uint64_t effective = 0;  // synaptic operations with a weight other than 0
};

class EventCounter {
public:
  /// With `costs` it counts each sample, too.
  explicit EventCounter(const Machine &machine,
                        const EmissionCosts *costs = nullptr);

  /// The injections of one step of a sample.
  void inject(const Inputs &inputs, uint64_t sample, uint64_t step,
              const std::vector<Injection> &injections);
  /// A visit, of a group or of a band.
  void update(uint32_t group, uint64_t tick, const GroupUpdate &update);
  void update(const Band &band, uint64_t tick, const BandUpdate &update);
  /// A sample has run and was reset.
  void endSample(const Inputs &inputs, uint64_t sample);
  void merge(const EventCounter &other);
  /// Begins anew, but for what is counted by sample.
  void clear();
  /// Writes or reads all numbers (runtime/host/Wire.h); a reader has the same
  /// machine.
  template <typename Stream> void visit(Stream &stream) {
    for (uint64_t *number :
         {&samples, &tokens, &updates, &steps, &saturatedInputs})
      stream.plain(*number);
    for (auto *numbers : {&emissions, &gradedEmissions, &lost})
      stream.sparse(*numbers);
    for (auto *numbers : {&active, &inactive, &issued, &wrapped, &clipped,
                          &ended, &membraneUpdates})
      stream.block(*numbers);
    stream.block(work);
    for (std::vector<uint64_t> &outputs : delivered)
      stream.block(outputs);
    for (std::vector<int64_t> &states : peaks)
      stream.block(states);
    spikeCounter.visit(stream);
    stream.block(sampleCounts);
  }

  /// Multiplies out. `target` gives the mesh; checkFits() has passed.
  Expanded expand(const Target &target, const Traffic &traffic) const;
  /// The counts of each sample, without resets, if they were asked for.
  std::vector<CoreCounts> bySample() const;
  Saturations saturations() const;
  std::vector<SpikeValues> spikeValues() const {
    return spikeCounter.values(updates);
  }

  uint64_t samples = 0, tokens = 0, steps = 0;
  uint64_t updates = 0;             // ticks of the schedule: tokens, or events
  ZeroedVector<uint64_t> emissions; // by source
  /// Emissions that nobody gets, as a queue was full; beside `emissions`.
  ZeroedVector<uint64_t> lost;
  /// The part of `emissions` from input ticks with an element beyond -1, 0, 1.
  ZeroedVector<uint64_t> gradedEmissions;        // by source; inputs only
  std::vector<uint64_t> active, inactive;        // by group
  std::vector<micro::Work> work;                 // by group
  std::vector<uint64_t> issued;                  // by group
  std::vector<uint64_t> wrapped, clipped, ended; // by population
  /// By population and its calibrated states, the largest sizes (Peaks.h).
  std::vector<std::vector<int64_t>> peaks;
  std::vector<uint64_t> membraneUpdates;        // by population, NeuroBench's
  std::vector<std::vector<uint64_t>> delivered; // by core, output
  uint64_t saturatedInputs = 0;

private:
  const Machine &machine;
  SpikeCounter spikeCounter;
  std::optional<SampleCounter> sampleCounter;
  struct Counted {
    uint64_t sample = 0;
    CoreCounts counts;
  };
  std::vector<Counted> sampleCounts; // in the order in which samples ended
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_EVENTCOUNTER_H
