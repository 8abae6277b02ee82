// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of a whole program, of which each rank has those that reach its
// cores. The first rank multiplies out what was counted, and asks the others
// for what it does not have.

#ifndef DENDROLITH_SIMULATOR_RANKS_RANKTRAFFIC_H
#define DENDROLITH_SIMULATOR_RANKS_RANKTRAFFIC_H

#include "runtime/host/Ranks.h"
#include "simulator/functional/delivery/Traffic.h"

#include <functional>
#include <string>
#include <vector>

namespace dendrolith::sim {

class RankTraffic : public Traffic {
public:
  /// Every rank calls it with the messages that reach its own cores.
  RankTraffic(Ranks &ranks, const Traffic &own, uint32_t sources);

  /// Every rank calls it: on the first one `use` runs and may ask for any
  /// message, and the others answer until it has ended.
  void onFirst(const std::function<void()> &use);

  // These are for the first rank, inside of onFirst().
  size_t kinds() const override { return firstKind.back(); }
  Delivery delivery(size_t kind) const override { return deliveries[kind]; }
  std::vector<Messages> sum(SourceRange sources,
                            const uint64_t *times) const override;
  /// Asks for a block of sources at a time, as callers go from one to the next.
  void kindsOf(uint32_t source, std::vector<size_t> &kinds) const override;

private:
  enum Question : uint8_t { Done, Sum, KindsOf };
  void serve();
  void fetch(uint32_t first) const;

  Ranks &ranks;
  const Traffic &own;
  const uint32_t sources;
  std::vector<size_t> firstKind = {0};            // by rank, and the end
  std::vector<Delivery> deliveries;               // by kind
  mutable uint32_t blockFirst = 0;                // of the block that is here
  mutable std::vector<std::vector<size_t>> block; // kinds, by source
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RANKS_RANKTRAFFIC_H
