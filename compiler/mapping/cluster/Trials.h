// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network grouped for a given number of cores, and whether it fits them.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_TRIALS_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_TRIALS_H

#include "compiler/mapping/cluster/Build.h"
#include "compiler/mapping/cluster/Clusters.h"
#include "compiler/mapping/cluster/Multilevel.h"
#include "compiler/mapping/network/Network.h"
#include "targets/loader/Target.h"

namespace dendrolith::cluster {

// The words of synapse memory that parts take, list by list. While parts
// change, words are known as a bound only, since they depend on which places
// the targets of a list have within a slice.

struct Words {
  std::vector<double> ofPart, ofProjection;
};

/// The words of the lists of all populations without ranges, in the slices of
/// slicesOf().
Words wordsOf(const MapNetwork &network, const Target &target,
              const ClusterOptions &options, const Clusters &clusters);

class Trials {
public:
  /// `start` is a part for each vertex to begin with, or empty.
  Trials(const MapNetwork &network, const Target &target,
         const ClusterOptions &options, const Vertices &vertices,
         const Hypergraph &graph, CoreLimits &limits,
         const std::vector<uint32_t> &start, Workers &workers)
      : network(network), target(target), options(options), vertices(vertices),
        graph(graph), limits(limits), start(start), workers(workers) {}

  /// The better of what the search finds and of the network's own order.
  /// `effort` counts beside that of the options.
  Result solve(uint32_t cores, double effort = 1);
  /// Whether everything fits, with the words of each list as it is.
  bool fits(const Result &found, uint32_t cores) const;
  /// The resource that the worst part exceeds.
  Resource resourceOf(const Result &found, uint32_t cores) const;
  /// How many cores to try after so many did not do: as many as all uses
  /// together fill.
  uint32_t next(const Result &found, uint32_t cores) const;
  /// Without the cost.
  Clusters coresOf(const std::vector<uint32_t> &part, uint32_t cores) const;

private:
  /// Parts that are given, improved. Lists of neighbours in the given order are
  /// mostly dense ones, so words are taken to be as many as they are there.
  Result improved(std::vector<uint32_t> given, uint32_t cores, bool brief);
  /// Whether a network that takes long is in so good an order that it is enough
  /// to begin with this.
  bool isLocal(const Score &score, uint32_t cores) const;
  /// The words of each part, those of ranges included.
  Words exactWords(const std::vector<uint32_t> &part, uint32_t cores) const;

  const MapNetwork &network;
  const Target &target;
  const ClusterOptions &options;
  const Vertices &vertices;
  const Hypergraph &graph;
  CoreLimits &limits;
  const std::vector<uint32_t> &start;
  Workers &workers;
  double effort = 1;
};

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_TRIALS_H
