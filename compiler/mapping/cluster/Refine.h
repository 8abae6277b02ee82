// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices move to other parts, downhill or annealed.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_REFINE_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_REFINE_H

#include "compiler/mapping/cluster/Parts.h"
#include "runtime/host/Workers.h"

namespace dendrolith::cluster {

struct RefineOptions {
  uint64_t seed = 1;
  uint32_t sweeps = 8; ///< over all vertices at the most
  /// Temperature of the first sweep, as a part of the rate that a vertex hears
  /// on average; the last sweeps are at 0.
  double heat = 0;
  /// The price of exceeding a limit; 1 = a vertex beyond it costs as much as
  /// all its messages do.
  double fine = 1;
  /// No part may go beyond a limit, or farther beyond it, for a lower cost.
  bool strict = false;
};

/// How good parts are: less excess first, then less cost.
struct Score {
  double excess = 0, cost = 0;
  bool betterThan(const Score &other) const {
    if (excess < other.excess - 1e-9 || excess > other.excess + 1e-9)
      return excess < other.excess;
    return cost < other.cost;
  }
};
Score scoreOf(const Parts &parts);

/// Never ends with a worse score than it begins with, and depends on the number
/// of workers in nothing.
Score refine(const Hypergraph &graph, Parts &parts,
             const RefineOptions &options, Workers &workers);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_REFINE_H
