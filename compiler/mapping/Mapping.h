// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a network to neurons on cores: split, partition, place.

#ifndef DENDROLITH_COMPILER_MAPPING_MAPPING_H
#define DENDROLITH_COMPILER_MAPPING_MAPPING_H

#include "compiler/mapping/Fit.h"
#include "compiler/mapping/Network.h"
#include "compiler/mapping/Permute.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith {

struct SearchControl;

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

/// Neurons [first, first + count) of a population on a core.
struct PlacedRange {
  uint32_t population = 0;
  uint32_t first = 0, count = 0;
  uint32_t core = 0;
  /// Ranges of one population on one core form one slice; those of different
  /// `part` form one each.
  uint32_t part = 0;
};

struct MappingOptions {
  /// What to minimise: "balanced", "time", "energy", "edp" or "cores"; empty
  /// stands for "balanced", and where the model brings a placement for that.
  std::string goal;
  /// Names of the timing set and cost table that steps are predicted with, ""
  /// for the target's own.
  std::string timing, costs;
  uint64_t seed = 1;
  unsigned threads = 1;
  /// Seconds after which the best mapping so far is taken; 0 = no limit. With a
  /// limit that is met the answer depends on the machine.
  double seconds = 0;
  uint32_t maxCores = 0; ///< 0 = all of the target

  /// "default", "round-robin", "packed" or "iterative-split". Without a name
  /// the model's placement is taken if there is one, else "default".
  std::string solver;
  /// A file that says where slices lie and overrides the solver; may be empty.
  std::string placementFile;
  /// A file of constraints (ConstraintsFile.h); may be empty.
  std::string constraintsFile;
  /// An image or a placement file to start from (EarlierMapping.h); may be
  /// empty.
  std::string mapFrom;
  /// Neurons that may have another core than there; 0 = any number.
  uint64_t maxMoves = 0;
  /// The model's own placement; may be empty.
  std::vector<PlacedRange> model;
  /// By population the number that users know each neuron by, where those
  /// differ. Files count in it.
  NeuronOrder numbers;
  /// Cores that are used at the least: populations come apart first, and where
  /// there are fewer of them the largest are split.
  uint32_t minCores = 0;
  /// Who watches the search and may end it (SearchControl.h); may be null.
  std::shared_ptr<const SearchControl> control;
};

/// Maps the network onto the target; the answer depends on nothing but the
/// arguments. A misfit says which population needs more of which resource than
/// there is, and what would make it fit. Throws Error for a network that is
/// none, an unknown solver, and a placement that is no placement of it.
Fit<Mapping> mapNetwork(const MapNetwork &network, const Target &target,
                        const MappingOptions &options = {});

/// The mapping as a placement file (PlacementFile.h) that gives it back. Its
/// order holds the numbers that users know neurons by.
std::string formatPlacement(const MapNetwork &network, const Mapping &mapping);

/// The target whose lists are stored without zeros.
Target skippingZeros(Target target);

/// The fit table, counted from the network and the slices alone: neuron slots,
/// synapse memory, in-axons, out-axons, decay profiles, threshold profiles,
/// synapse formats, cores; core memory and program words where the target has
/// such a limit. Also counts what exceeds a limit.
std::vector<FitRow> measure(const MapNetwork &network, const Target &target,
                            const std::vector<Slice> &slices);

/// What measure() counts, or a misfit where a delay or a table of a core is
/// beyond the target's limit. Throws Error when the slices are no mapping of
/// the network at all: a neuron is placed never or twice, accumulators of a
/// core overlap, a core does not exist.
Fit<std::vector<FitRow>> verify(const MapNetwork &network, const Target &target,
                                const std::vector<Slice> &slices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_MAPPING_H
