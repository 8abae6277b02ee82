// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a core has room for.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_LIMITS_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_LIMITS_H

#include "compiler/mapping/cluster/Clusters.h"
#include "compiler/mapping/cluster/Hypergraph.h"
#include "compiler/mapping/network/Demand.h"

#include <string>

namespace dendrolith::cluster {

/// Something that vertices of a core may have in common and that it holds once.
struct Token {
  Resource resource = ProgramWords; ///< profiles count one each
  double words = 0, bytes = 0;      ///< of a program or of shared parameters
};

/// The limits of a core, each as its inverse.
struct CoreLimits {
  CoreLimits(const Target &target, const ClusterOptions &options);

  /// Fits caps and tables to a number of cores. `graph` has the vertices.
  void setCores(const MapNetwork &network, const Target &target,
                const Hypergraph &graph, uint32_t cores);

  /// Bytes of everything in a core's one memory.
  double bytesOf(const Needs &use) const {
    return use.bytes + use.words * double(entry.synapseWord) +
           use.in * double(entry.inAxon) + use.out * double(entry.outAxon);
  }

  /// The sum of what each use has above its limit, as a fraction of the limit.
  double excess(const Needs &use) const {
    auto over = [](double used, double inverse) {
      double part = used * inverse - 1;
      return part > 0 ? part : 0;
    };
    return over(use.slots, slots) + over(use.words, words) + over(use.in, in) +
           over(use.out, out) + over(bytesOf(use), bytes) +
           over(use.work, work);
  }

  /// The resource of which the use exceeds the limit most, or numResources.
  Resource worst(const Needs &use) const;

  /// Takes lists of each table to have so many times the words of the bound
  /// that setCores() puts into the tables.
  void scaleWords(const std::vector<double> &factors);

  /// Cores that the network takes at the least, and the resource that says so.
  /// `likely` is the number that holds as long as no source has more than one
  /// list: where a search may begin.
  struct CoreBound {
    uint32_t cores = 1, likely = 1;
    Resource resource = NeuronSlots;
    double total = 0;
  };
  CoreBound bound(const MapNetwork &network, const Target &target,
                  const Hypergraph &graph) const;

  EntryBytes entry;
  Capacity capacity;
  /// 1 / limit, 0 = none.
  double slots = 0, words = 0, in = 0, out = 0, bytes = 0, work = 0;
  bool countsWords = false; ///< whether words are limited in any way
  bool countsOut = false;
  double workCap = 0;
  /// By Hypergraph::table: the most words that a list takes, by its synapses.
  std::vector<std::vector<double>> wordsOf;
  /// Words that one more synapse takes in a long list.
  std::vector<double> wordsEach;
  std::vector<Token> tokens;
};

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_LIMITS_H
