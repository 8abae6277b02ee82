// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of the partitioner, and its answer.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTERS_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTERS_H

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTERS_H
