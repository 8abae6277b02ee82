// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which neurons share a core where messages and their ways are all that counts:
// other beginnings than the partitioner's, and other moves.

#ifndef DENDROLITH_COMPILER_MAPPING_SEARCH_GROUPING_H
#define DENDROLITH_COMPILER_MAPPING_SEARCH_GROUPING_H

#include "compiler/mapping/cluster/Limits.h"
#include "compiler/mapping/search/Ways.h"

#include <optional>

namespace dendrolith {

/// Neurons on cores that have places.
struct PlacedClusters {
  Clusters clusters;
  std::vector<uint32_t> places; ///< by core, its id in the target
};

/// Rows of neurons that are cut into parts.
enum class Row {
  Given,      ///< as the network has them
  Neighbours, ///< the next one has most to do with the last ones
  Ring,       ///< by their ways to each other, around a ring
};

class Grouping {
public:
  /// The arguments must outlive this.
  Grouping(const MapNetwork &network, const Target &target,
           const ChipModel &model, const ClusterOptions &options);

  /// Neurons in a row, cut where least messages come into each part.
  std::optional<Clusters> inLine(uint32_t fewest, uint32_t most,
                                 Row row = Row::Given);

  /// Whether the network is so small that annealed() looks at most of it.
  bool isTiny() const;
  /// Simulated annealing on the first cores of the target: of single neurons
  /// where the network is tiny, else of blocks of neurons in a row. Nothing
  /// where what it finds is not within limits.
  std::optional<PlacedClusters> annealed(uint32_t cores);

  /// Swaps of neurons between cores.
  Clusters swapped(const PlacedClusters &from);

private:
  double roomOf() const; ///< slots of a core
  void loosen();
  std::vector<uint32_t> partsOf(const Clusters &clusters) const;
  Clusters clustersOf(const std::vector<uint32_t> &part, uint32_t cores) const;
  std::vector<uint32_t> annealBlocks(uint32_t cores, const Ways &ways,
                                     uint32_t blocks);
  std::vector<uint32_t> annealParts(const cluster::Hypergraph &of,
                                    const Ways &ways, uint32_t cores,
                                    const std::vector<uint32_t> &part,
                                    uint32_t seeds, uint64_t proposals) const;

  const MapNetwork &network;
  const Target &target;
  const ChipModel &model;
  const ClusterOptions &options;
  const cluster::Vertices vertices;
  cluster::CoreLimits limits;
  const cluster::Hypergraph graph;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SEARCH_GROUPING_H
