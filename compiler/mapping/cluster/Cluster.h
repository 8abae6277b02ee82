// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which neurons share a core, chosen neuron by neuron: a multilevel hypergraph
// partitioner under every limit of a core. README.md says how.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTER_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTER_H

#include "compiler/mapping/Mapping.h"
#include "compiler/mapping/Permute.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace dendrolith {

struct ClusterOptions {
  uint32_t cores = 0; ///< cores wanted; 0 = as few as are found
  uint64_t seed = 1;
  unsigned threads = 1; ///< how many work at it; the answer is the same
  /// No core gets above so many times the mean work; 0 = any.
  double workCap = 0;
  /// Work of each neuron by population; missing or empty = 1 each.
  std::vector<std::vector<double>> work;
  /// Populations whose neurons stay together in contiguous ranges, as Split has
  /// them: rising from 0, closed by the size. Those are slices of their own, so
  /// that lists of `shared` projections stay shared. Missing or empty = each
  /// neuron is free.
  std::vector<std::vector<uint32_t>> ranges;
  /// A core for each neuron by population, from which the search starts;
  /// empty = from nothing. With `cores` = 0 there are as many as it names.
  std::vector<std::vector<uint32_t>> start;
  /// Whether a misfit says how many cores do, which takes a search of its own.
  bool findsFitting = false;
  /// Asked now and then, by any thread: true ends the search with what it has,
  /// which need not fit. May be empty.
  std::function<bool()> isOver;
  /// How many times as long as usual the search may take.
  double effort = 1;
};

struct Clusters {
  uint32_t cores = 0;
  std::vector<std::vector<uint32_t>> core; ///< by population, neuron
  /// Messages per tick at the network's rates: one of each source to each core
  /// that has its targets and is not its own.
  double km1 = 0;
};

/// Groups the neurons of a network. A misfit names the resource that ends it,
/// what the network takes of it at least, and how many cores were found to do.
Fit<Clusters> clusterNeurons(const MapNetwork &network, const Target &target,
                             const ClusterOptions &options);

/// Moves neurons between cores that have places: the sum of rate times
/// `distance` (by core of the source, core of the targets; cores * cores)
/// falls, and no limit that holds is exceeded. `hostDistance` is for inputs, by
/// core.
Clusters refineClusters(const MapNetwork &network, const Target &target,
                        Clusters clusters, const std::vector<double> &distance,
                        const std::vector<double> &hostDistance,
                        const ClusterOptions &options);

/// The order that brings the neurons of a core together: by core, then those of
/// one program, then by number, or where words count more than time
/// (SynapseFormat::skipsZeros) as their lists take fewest words (InnerOrder).
/// Ranges of a population stay whole. Empty for a
/// population that is in this order already.
NeuronOrder orderOf(const MapNetwork &network, const Target &target,
                    const Clusters &clusters,
                    const std::vector<std::vector<uint32_t>> &ranges = {});

/// The slices of the network in that order, one for each population and core,
/// or one for each of the population's ranges, in order of (core, base). The
/// cores are those of the clusters, so that a place has yet to be found.
std::vector<Slice>
slicesOf(const MapNetwork &network, const Clusters &clusters,
         const std::vector<std::vector<uint32_t>> &ranges = {});

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTER_H
