// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the mapper answers: slices on cores, what they take and what a step on
// them is predicted to cost.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_MAPPING_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_MAPPING_H

#include "compiler/mapping/network/Permute.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace dendrolith {

// Slices of populations on cores, and what follows from them alone: where they
// begin, on which core each neuron lies, how many cores are used.

/// A contiguous range of positions of one population on one core. Positions are
/// neurons where the mapping keeps their order (Mapping::order).
struct Slice {
  uint32_t population = 0;
  uint32_t first = 0, count = 0; ///< positions [first, first + count)
  uint32_t core = 0;             ///< id of the core in the target
  uint32_t base = 0;             ///< its first accumulator on the core
};

/// Accumulators of a slice: those of each of its neurons.
inline uint32_t accumulatorsOf(const MapNetwork &network, const Slice &slice) {
  return slice.count * network.populations[slice.population].accumulators;
}

/// Where slices begin, by population: rising from 0, closed by the size.
using SliceStarts = std::vector<std::vector<uint32_t>>;

/// The core of each slice, by its id in the target.
using SliceCores = std::vector<uint32_t>;

constexpr uint32_t noCore = std::numeric_limits<uint32_t>::max();

/// By population, the core of each neuron.
using NeuronCores = std::vector<std::vector<uint32_t>>;

/// Slices as SliceGraph numbers them: by population, then by first neuron.
std::vector<Slice> byNeuron(std::vector<Slice> slices);

/// Where slices begin, and the core of each as byNeuron() orders them.
struct Cuts {
  SliceStarts starts;
  SliceCores cores;
};
Cuts cutsOf(const MapNetwork &network, const std::vector<Slice> &slices);

/// The slices of a mapping, with their bases, in order of (core, base).
std::vector<Slice> slicesOn(const MapNetwork &network,
                            const SliceStarts &starts, const SliceCores &cores);

/// The cores that slices give the neurons; noCore for those in none.
NeuronCores coresOf(const MapNetwork &network, const std::vector<Slice> &slices,
                    const NeuronOrder &order = {});

/// How many cores are named at all.
uint64_t coresUsed(const SliceCores &cores);

/// One line of the table of what is used, on the core that uses most.
struct FitRow {
  std::string resource, unit;
  uint64_t used = 0;      ///< on the worst core; for "cores", of the chip
  uint64_t limit = 0;     ///< 0 stands for no limit
  uint32_t worstCore = 0; ///< id of that core; 0 for "cores"
  std::string population; ///< the one that takes most there; may be empty
};

/// A part of what a step is predicted to cost.
struct MappingTerm {
  std::string name, unit;
  double value = 0, baseline = 0;
};

/// No mapping onto fewer cores has enough of a resource.
struct MappingBound {
  std::string resource;
  uint64_t cores = 0;
  std::string population; ///< the one that takes most of it; may be empty
};

/// A mapping that was looked at, by what a step is predicted to cost on it.
struct TradeOff {
  uint64_t cores = 0;
  double stepNs = 0, stepPj = 0; ///< no energy where nothing is priced
  std::string how;
  bool chosen = false;
  bool pareto = false; ///< none is better in cores, time and energy
  bool rough = false;  ///< predicted from few of the steps
};

/// A core or a link that steps wait for.
struct Hotspot {
  std::string where;
  double stepNs = 0;
  std::string cause, remedy;
};

struct Mapping {
  std::vector<Slice> slices; ///< in order of (core, base)
  /// The neuron at each position of a population, of those that are mapped in
  /// another order than their own. Slices, and what measure() and verify() take
  /// them with, count in the permuted network.
  NeuronOrder order;
  /// Whether lists are stored without zeros (SynapseFormat::skipsZeros): always
  /// where that leaves enough memory.
  bool skipsZeros = false;
  /// The solver's name, "placement file" or "placement of the model".
  std::string solver;
  /// What was minimised, as predicted for a step. The baseline is round-robin
  /// on the same slices.
  double cost = 0, baselineCost = 0;
  std::string costUnit;
  double busiestLink = 0; ///< messages per step over the fullest mesh link
  std::vector<FitRow> fit;

  /// In words, with the names of prices and times, and how many neurons moved
  /// where the search began with an earlier mapping.
  std::string objective;
  std::string activity;   ///< in words: what steps were predicted from
  std::string fewerCores; ///< why there are not fewer
  /// Why the search ended before it was complete, and how many mappings it had
  /// looked at; else empty.
  std::string cutShort;
  std::vector<MappingTerm> terms;
  std::vector<MappingBound> bounds;
  std::vector<TradeOff> tradeOff; ///< by cores
  std::vector<Hotspot> hotspots;  ///< the worst five cores, then links
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_MAPPING_H
