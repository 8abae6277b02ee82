// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a network to neurons on cores: split, partition, place.

#ifndef NEURITE_COMPILER_MAPPING_MAPPING_H
#define NEURITE_COMPILER_MAPPING_MAPPING_H

#include "compiler/mapping/Fit.h"
#include "compiler/mapping/Network.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite {

/// A contiguous range of one population on one core.
struct Slice {
  uint32_t population = 0;
  uint32_t first = 0, count = 0; ///< neurons [first, first + count)
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

struct Mapping {
  std::vector<Slice> slices; ///< in order of (core, base)
  /// The solver's name, "placement file" or "placement of the model".
  std::string solver;
  /// Message-hops per tick at the network's rates, plus the operations per
  /// tick of the busiest core (a neuron update or a synapse applied is one).
  /// The baseline is round-robin on the same slices.
  double cost = 0, baselineCost = 0;
  std::string costUnit;
  double busiestLink = 0; ///< messages per tick over the fullest mesh link
  std::vector<FitRow> fit;
};

struct MappingOptions {
  /// "default", "round-robin" or "packed". Without a name the model's placement
  /// is taken if there is one, else "default".
  std::string solver;
  /// A file that says where slices lie and overrides the solver; may be empty.
  std::string placementFile;
  /// The model's own placement, without bases; may be empty.
  std::vector<Slice> model;
  /// Cores that are used at the least: populations come apart first, and where
  /// there are fewer of them the largest are split.
  uint32_t minCores = 0;
};

/// Maps the network onto the target; the answer depends on nothing but the
/// arguments. A misfit says which population needs more of which resource than
/// there is, and what would make it fit. Throws Error for a network that is
/// none, an unknown solver, and a placement that is no placement of it.
Fit<Mapping> mapNetwork(const MapNetwork &network, const Target &target,
                        const MappingOptions &options = {});

/// The mapping as a placement file (PlacementFile.h) that gives it back.
std::string formatPlacement(const MapNetwork &network, const Mapping &mapping);

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

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_MAPPING_H
