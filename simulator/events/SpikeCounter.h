// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often each value of an integer, unary or binary output is emitted. Only
// what is not silent is counted in the run; silence is the rest of the updates.

#ifndef DENDROLITH_SIMULATOR_EVENTS_SPIKECOUNTER_H
#define DENDROLITH_SIMULATOR_EVENTS_SPIKECOUNTER_H

#include "simulator/functional/machine/Machine.h"
#include "simulator/functional/machine/Step.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::sim {

// What a run says of its values: which a population emitted, how often others
// met the end of their range, and how far they went.

/// How often each value was emitted, by neuron, element and update. Unary
/// spikes count as the value that they make up.
struct SpikeValues {
  std::string name; // the population; "population:output" for one of several
  int64_t low = 0;  // value of counts[0]; 0 is silence
  std::vector<uint64_t> counts;

  uint64_t updates() const; // the sum of counts
  double share(int64_t value) const;
};

/// How often a range was met. Nothing here is an error.
struct Saturations {
  uint64_t inputs = 0; // payloads beyond an input's range
  std::map<std::string, uint64_t> wrapped, clipped; // u, v; by population
  /// State words of programs at an end of their range after an update.
  std::map<std::string, uint64_t> ended;
  /// The largest magnitudes of the states whose range calibration found, in
  /// integers, by population and state. Negative numbers count from -1
  /// downwards.
  std::map<std::string, std::map<std::string, int64_t>> peaks;
};

/// An output with more values than this carries amounts and is not counted.
constexpr int64_t kMostSpikeValues = 1024;

/// Counts the values that the outputs of all populations emit.
class SpikeCounter {
public:
  explicit SpikeCounter(const Machine &machine);

  /// Counts what a visit emitted. A visit that only sends what is left of a
  /// value counts nothing.
  void count(const Machine::Group &group, const GroupUpdate &update);
  /// Counts spikes of fixed-function neurons.
  void countSpikes(uint32_t population, uint64_t spikes) {
    if (spikes) // which silent ones never have
      add(population, 0, 1, spikes);
  }
  void merge(const SpikeCounter &other);
  void clear();
  /// Writes or reads all counts; a reader has the same machine.
  template <typename Stream> void visit(Stream &stream) {
    for (std::vector<Output> &of : outputs)
      for (Output &output : of)
        stream.block(output.counts);
  }

  /// The counts after `tokens` root ticks of all samples together. Outputs that
  /// are not counted, or that never differ from 0, are left out.
  std::vector<SpikeValues> values(uint64_t tokens) const;

private:
  struct Output {
    std::string name;
    uint64_t elements = 1; // that a neuron has
    int64_t low = 0;
    std::vector<uint64_t> counts; // from `low` on; empty if not counted
  };

  std::vector<Output> outputsOf(const Machine::Population &population) const;
  void add(uint32_t population, uint32_t output, int64_t value,
           uint64_t times = 1) {
    Output &to = outputs[population][output];
    if (!to.counts.empty())
      to.counts[static_cast<size_t>(value - to.low)] += times;
  }

  const Machine &machine;
  std::vector<std::vector<Output>> outputs; // by population
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_SPIKECOUNTER_H
