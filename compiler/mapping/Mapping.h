// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a network to neurons on cores: split, partition, place.

#ifndef NEURITE_COMPILER_MAPPING_MAPPING_H
#define NEURITE_COMPILER_MAPPING_MAPPING_H

#include "compiler/mapping/Network.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite {

/// A contiguous range of one population on one core.
struct Slice {
  uint32_t population = 0;
  uint32_t first = 0, count = 0; // neurons
  uint32_t core = 0;             // id in the target
  uint32_t base = 0;             // first accumulator on the core
};

/// Accumulators of a slice: those of each of its neurons.
inline uint32_t accumulatorsOf(const MapNetwork &network, const Slice &slice) {
  return slice.count * network.populations[slice.population].accumulators;
}

/// One line of the table of what is used, on the core that uses most.
struct FitRow {
  std::string resource, unit;
  uint64_t used = 0;      // on the worst core; of the chip for "cores"
  uint64_t limit = 0;     // 0 = unlimited
  uint32_t worstCore = 0; // id; 0 for "cores"
  std::string population; // largest contributor there; "" for none
};

struct Mapping {
  std::vector<Slice> slices; // by (core, base)
  std::string solver; // its name, "placement file" or "placement of the model"
  /// Message-hops per tick at the network's rates, plus the operations per
  /// tick of the busiest core (a neuron update or a synapse applied is one).
  /// The baseline is round-robin on the same slices.
  double cost = 0, baselineCost = 0;
  std::string costUnit;
  double busiestLink = 0; // messages per tick over the fullest mesh link
  std::vector<FitRow> fit;
};

struct MappingOptions {
  /// "default", "round-robin" or "packed"; "" = the model's placement if there
  /// is one, else "default".
  std::string solver;
  std::string placementFile; // "" = none; else it overrides the solver
  std::vector<Slice> model;  // the model's placement, without bases
  /// Cores that are used at the least: populations come apart first, and where
  /// there are fewer of them the largest are split.
  uint32_t minCores = 0;
};

/// Maps the network onto the target; the answer depends on nothing but the
/// arguments. Throws Error when the network does not fit: which population,
/// which resource, used and available, and what would make it fit.
Mapping mapNetwork(const MapNetwork &network, const Target &target,
                   const MappingOptions &options = {});

/// The mapping as a placement file (PlacementFile.h) that gives it back.
std::string formatPlacement(const MapNetwork &network, const Mapping &mapping);

/// The fit table, counted from the network and the slices alone: compartments,
/// synapse memory, in-axons, out-axons, decay profiles, threshold profiles,
/// synapse formats, cores; core memory and program words where the target has
/// such a limit. Also counts what exceeds a limit.
std::vector<FitRow> measure(const MapNetwork &network, const Target &target,
                            const std::vector<Slice> &slices);

/// Throws Error when the slices are no mapping of the network: a neuron placed
/// never or twice, compartments of a core that overlap or leave its range, a
/// core that does not exist, a delay or a table beyond the target's limit.
/// Returns what measure() counts.
std::vector<FitRow> verify(const MapNetwork &network, const Target &target,
                           const std::vector<Slice> &slices);

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_MAPPING_H
