// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many cores a network needs at the least, by resource, however it is cut
// and placed. The numbers are counted from the network alone.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_BOUNDS_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_BOUNDS_H

#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/network/Network.h"

namespace dendrolith {

/// No mapping takes less than `total` of a resource.
struct Bound {
  uint64_t total = 0;
  uint64_t cores = 0;      ///< that together have `total`; 0 without a limit
  uint32_t population = 0; ///< the one that takes `most` of it
  uint64_t most = 0;
};

struct LowerBounds {
  std::array<Bound, numResources> of;
  Resource binding = NeuronSlots; ///< the resource that asks for most cores

  /// No mapping has fewer. A network with neurons needs one at least.
  uint64_t cores() const { return of[binding].cores; }
};

/// A list may lie anywhere in any division, so it counts with its weights and
/// block headers alone: a dense list has no indices. It has as many parts, each
/// with its axons, as its targets need cores when they fill each of them. In a
/// projection whose lists are shared each distinct weight counts once, because
/// a division may make any of its lists equal. Only sources that have no target
/// in common count there, because equal lists share their in-axon. Programs and
/// parameters that neurons share count once.
LowerBounds lowerBounds(const MapNetwork &network, const Target &target);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_BOUNDS_H
