// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the mapper sees of a network: sizes, synapses by source, and rates. No
// dynamics and no MLIR.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_NETWORK_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_NETWORK_H

#include "targets/loader/chip/Microcode.h"
#include "targets/loader/chip/SynapseFormat.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// The program id of a population whose program no other one has.
constexpr uint32_t ownProgram = std::numeric_limits<uint32_t>::max();

/// What one run of a neuron's program is made of, for times and prices.
struct ProgramWork {
  uint64_t instructions = 0;
  /// Element operations by class, and the lane slots that they take: the sum
  /// over instructions of ceil(elements / lanes).
  std::array<uint64_t, kMicroClasses> elements{}, slots{};
};

/// What neurons take of a core's memory besides synapses and axons.
struct NeuronNeeds {
  /// Bytes that each neuron takes, and bytes that all neurons of its kind on a
  /// core share (parameters).
  uint64_t neuronBytes = 0, sliceBytes = 0;
  /// Words of their program. A core stores it once for all neurons with the
  /// same id, which must agree on its words.
  uint64_t programWords = 0;
  uint32_t program = ownProgram;
  ProgramWork work;
};

/// When a population or an input has its ticks: tick q is in step
/// phase + period * (q / ticks) + stride * (q % ticks).
struct MapSchedule {
  uint32_t phase = 0, ticks = 1, stride = 1;
};

/// Neurons from `first` up to the next run.
struct MapRun : NeuronNeeds {
  uint32_t first = 0;
};

/// The feature maps that a population is, neuron (channel * rows + y) * columns
/// + x, where a convolution or a pooling feeds it; else all are 0. Sources of
/// such a population reach neighbours, so that tiles of all channels have fewer
/// sources than ranges of one channel.
struct MapGrid {
  uint32_t channels = 0, rows = 0, columns = 0;
};

/// One neuron takes one neuron slot of a core. Profile ids are global: neurons
/// of different populations with equal ids share one entry of a core's profile
/// table. An empty vector means one profile for the whole population that no
/// other population shares.
struct MapPopulation : NeuronNeeds {
  std::string name;
  MapSchedule schedule;
  MapGrid grid;
  uint32_t size = 0;
  std::vector<uint32_t> decayProfile, thresholdProfile; // empty or `size`
  uint32_t accumulators = 1; // of a neuron: elements of its ports
  uint32_t sources = 1;      // of a neuron: elements of its outputs
  /// Neurons in front of which the population is best split, rising. If there
  /// are none, any place is as good.
  std::vector<uint32_t> cuts;
  /// Neurons that differ in what they run, from 0 on, each with a program id.
  /// If there are none, all are alike, as the population itself says.
  std::vector<MapRun> runs;

  const NeuronNeeds &needsOf(uint32_t neuron) const {
    if (runs.empty())
      return *this;
    return *std::prev(std::upper_bound(
        runs.begin(), runs.end(), neuron,
        [](uint32_t n, const MapRun &run) { return n < run.first; }));
  }

  /// Calls visit(needs, first, count) for each part of [first, end) whose
  /// neurons are alike.
  template <class Visit>
  void forEachRun(uint32_t first, uint32_t end, Visit visit) const {
    if (runs.empty())
      return visit(static_cast<const NeuronNeeds &>(*this), first, end - first);
    for (size_t r = 0; r < runs.size(); ++r) {
      uint32_t from = std::max(first, runs[r].first);
      uint32_t to =
          std::min(end, r + 1 < runs.size() ? runs[r + 1].first : size);
      if (from < to)
        visit(static_cast<const NeuronNeeds &>(runs[r]), from, to - from);
    }
  }
};

struct MapInput {
  std::string name;
  uint32_t size = 0;
  MapSchedule schedule;
};

/// The kernel of a convolution, on a chip whose cores store it once and find
/// the weights of a source by its place. Then a source sends one message to a
/// slice, and the sources of a slice have its in-axons in common.
struct MapKernel {
  uint32_t taps = 0;    // rows times columns of the window; 0: no kernel
  uint32_t sources = 0; // source channels that a target channel reads
  uint32_t group = 0;   // target channels that read the same ones
  uint32_t inAxons = 0; // of a slice
  std::vector<uint32_t> channel, place; // of each target neuron
  std::vector<uint8_t> inAxon; // that a source sends to; empty: always 0

  explicit operator bool() const { return taps > 0; }
};

/// Synapses by source, in compressed rows.
struct MapProjection {
  bool fromInput = false;
  uint32_t source = 0; // index of an input or of a population
  uint32_t target = 0; // index of a population
  uint32_t delay = 0;  // c, steps, of all synapses, or the longest of `delays`
  uint32_t weightBits = 8;     // width stored per synapse
  bool shared = false;         // a core stores equal lists of a slice once
  bool convolution = false;    // indexed lists count as a convolution's
  MapKernel kernel;            // of one that is shared and a convolution
  std::vector<uint64_t> begin; // sourceSize() + 1: neuron * sources + source
  /// The target accumulator is neuron * accumulators + element, and rises
  /// within a source.
  std::vector<uint32_t> accumulator;
  std::vector<int16_t> weight; // mantissa; zeros may occur
  /// By synapse, its delay c, which the word then holds; empty where all have
  /// `delay`, which the in-axon keeps and no word has.
  std::vector<uint16_t> delays;

  uint32_t delayOf(uint64_t synapse) const {
    return delays.empty() ? delay : delays[synapse];
  }
  uint32_t delayBits() const {
    return delays.empty() ? 0 : static_cast<uint32_t>(bitsFor(delay));
  }
  /// Bits of a word's entry without its index.
  uint32_t synapseBits() const { return weightBits + delayBits(); }
  /// What makes lists differ in their format, besides indices.
  uint32_t formatBits() const { return weightBits | delayBits() << 8; }
};

struct MapNetwork {
  std::vector<MapPopulation> populations;
  std::vector<MapInput> inputs;
  std::vector<MapProjection> projections;

  /// Expected emissions per root tick of each source or input element, by
  /// population or input. A missing or empty vector means 1 throughout: the
  /// worst case of binary spikes, and the same for all, so that the traffic is
  /// then the number of out-axon entries.
  std::vector<std::vector<double>> inputRate, populationRate;

  /// Steps of a root tick. The schedules above count in it.
  uint32_t period = 1;

  /// In which sampled root ticks each source or input element emitted, by
  /// population or input: bit sample * sampledTicks + tick. An element has a
  /// word for each tick that its schedule has in a root tick, side by side. A
  /// missing or empty vector means that only the rate is known.
  uint32_t samples = 0, sampledTicks = 0;
  std::vector<std::vector<uint64_t>> inputActivity, populationActivity;

  /// How many out-axon entries to the host one neuron has, by population. A
  /// missing one counts as 0.
  std::vector<uint32_t> hostOutput;

  uint32_t sourceSize(const MapProjection &projection) const {
    return projection.fromInput ? inputs[projection.source].size
                                : populations[projection.source].size *
                                      populations[projection.source].sources;
  }
  double rate(bool fromInput, uint32_t source, uint32_t element) const {
    const auto &rates = fromInput ? inputRate : populationRate;
    return source < rates.size() && !rates[source].empty()
               ? rates[source][element]
               : 1.0;
  }
  const MapSchedule &schedule(bool fromInput, uint32_t source) const {
    return fromInput ? inputs[source].schedule : populations[source].schedule;
  }
  /// The sampled root ticks in which an element emitted, a word for each tick
  /// of its schedule; null where only its rate is known.
  const uint64_t *activity(bool fromInput, uint32_t source,
                           uint32_t element) const {
    const auto &all = fromInput ? inputActivity : populationActivity;
    if (source >= all.size() || all[source].empty())
      return nullptr;
    return all[source].data() +
           uint64_t(element) * schedule(fromInput, source).ticks;
  }
  uint32_t hostOutputs(uint32_t population) const {
    return population < hostOutput.size() ? hostOutput[population] : 0;
  }
};

/// Throws Error when an index is out of range, rows are not rising and unique,
/// vector lengths disagree, or a rate is negative or not finite. It also throws
/// when there are more accumulators than the image can number. Runs of a
/// population must rise from 0 and name a program, and a program has one
/// length.
void check(const MapNetwork &network);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_NETWORK_H
