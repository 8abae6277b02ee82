// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tile acts next in a replay.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_TILECLOCK_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_TILECLOCK_H

#include "compiler/mapping/objective/FlitBuffer.h"

namespace dendrolith {

/// One time for each tile, and the earliest of all; of equal times, that of the
/// lower tile.
///
/// Pairs of tiles play against each other, the winners in pairs again, and so
/// on: a new time changes no more games than there are rounds, and most often
/// ends at the first one. A queue of (time, tile) would say the same, but a
/// tile whose time changes leaves its old entry in it.
class TileClock {
public:
  struct Due {
    uint64_t when = never;
    uint32_t tile = 0;
  };

  /// No tile has anything to do.
  void reset(size_t tiles) {
    half = 1;
    while (half < tiles)
      half *= 2;
    games.assign(2 * half, {});
    // The lower of two equals is the winner of each game.
    for (size_t game = 2 * half - 1; game > 0; --game)
      games[game].tile =
          game >= half ? uint32_t(game - half) : games[2 * game].tile;
  }

  uint64_t at(uint32_t tile) const { return games[half + tile].when; }
  /// `when` is never where the tile has nothing to do.
  Due first() const { return games[1]; }

  void set(uint32_t tile, uint64_t when) {
    size_t game = half + tile;
    games[game].when = when;
    while (game > 1) {
      game /= 2;
      const Due &low = games[2 * game], &high = games[2 * game + 1];
      const Due &winner = high.when < low.when ? high : low;
      if (games[game].when == winner.when && games[game].tile == winner.tile)
        return;
      games[game] = winner;
    }
  }

private:
  size_t half = 1;
  /// The final is at 1, and behind game g are 2 g and 2 g + 1; the second half
  /// are the tiles themselves.
  std::vector<Due> games{2};
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_TILECLOCK_H
