// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The router of a tile in a replay: its input buffers and what their first
// flits wait for.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYTILE_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYTILE_H

#include "compiler/mapping/objective/FlitBuffer.h"
#include "compiler/mapping/objective/MeshRoutes.h"

#include "targets/loader/chip/Timing.h"

#include <array>

namespace dendrolith {

struct ReplayTile {
  static constexpr uint32_t local = MeshRoutes::local,
                            ports = MeshRoutes::ports;
  static constexpr uint64_t always = 0;

  /// What the first flit of an input waits for: to be there and read, the port
  /// it leaves by, and room where it goes.
  struct First {
    uint64_t soonest = never; // where the input holds none
    uint32_t out = 0;
    const uint64_t *room = &always;
    uint64_t when(const ReplayTile &tile) const {
      return std::max({soonest, tile.nextSend[out], *room});
    }
  };

  void reset() {
    for (uint32_t p = 0; p < ports; ++p)
      inputs[p].reset(in[p]->buffer);
    firsts.fill({});
    nextRead.fill(0);
    nextSend.fill(0);
    turn.fill(0);
    nextInjection = 0;
    firstReady = never;
    injectionTurn = 0;
  }

  /// When it can take a message from one of its endpoints.
  uint64_t injectionAt() const {
    return std::max({firstReady, nextInjection, inputs[local].room()});
  }

  std::array<First, ports> firsts;      // by input
  std::array<FlitBuffer, ports> inputs; // by the direction of what travels in
  std::array<const PortTiming *, ports> in{}, out{};
  std::array<uint32_t, ports> behind{}; // the tile that a port leads to
  std::array<uint64_t, ports> nextRead{}, nextSend{};
  std::array<uint32_t, ports> turn{};
  std::vector<uint32_t> endpoints;
  uint64_t nextInjection = 0;
  uint64_t firstReady = never; // the least offer of its endpoints
  uint32_t firstOffer = 0, injectionTurn = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYTILE_H
