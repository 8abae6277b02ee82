// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of synapse memory that parts take, list by list. While parts
// change, words are known as a bound only, since they depend on which places
// the targets of a list have within a slice.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_WORDS_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_WORDS_H

#include "compiler/mapping/cluster/Clusters.h"
#include "compiler/mapping/network/Network.h"
#include "targets/loader/Target.h"

namespace dendrolith::cluster {

struct Words {
  std::vector<double> ofPart, ofProjection;
};

/// The words of the lists of all populations without ranges, in the slices of
/// slicesOf().
Words wordsOf(const MapNetwork &network, const Target &target,
              const ClusterOptions &options, const Clusters &clusters);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_WORDS_H
