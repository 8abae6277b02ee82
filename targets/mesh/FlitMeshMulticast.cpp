// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flits with several destinations. Sorted by x and then by y, the destinations
// that a router's port leads to follow each other: those to the west come
// first, then those of its own column from north to south, then those to the
// east. So a flit carries a part of the list that its sender holds, and what
// leaves by a port is a part of that in turn; there are no trees to build.
//
// No traffic of such flits can lock a mesh. The first flit of a buffer waits
// for one port at a time, and never for two together. What it waits for is
// always a buffer that dimension order lets follow its own (a row's links, then
// a column's, then the queue of a core). A copy that left holds nothing behind
// it. Cores empty their queues whatever the mesh does; so the last buffers of
// the columns empty, then those before them, and so on back to the ports of the
// cores. The flits of a wide payload are no worm: each has all the
// destinations, and a slot of its own at a time.

#include "targets/mesh/FlitMesh.h"

#include <algorithm>
#include <cassert>

namespace dendrolith {

void FlitMesh::offer(const Flit &flit, Span<Destination> to, uint64_t when) {
  assert(to.size() && "a flit goes somewhere");
  EndpointState &from = endpoints[flit.source];
  const uint32_t place = newFlit();
  multicast = true;
  destinations.resize(flits.size());
  destinations[place] = {to, flit.message};
  flits[place] = flit;
  flits[place].hops = {};
  announce(from, aimAtFirst(place, tiles[from.tile]), when);
}

/// The way of a flit, at a tile on its way, to the first of its destinations.
FlitRoute FlitMesh::aimAtFirst(uint32_t flit, const Tile &from) {
  const Destinations &all = destinations[flit];
  flits[flit].destination = all.to[0].endpoint;
  flits[flit].message = all.message + all.to[0].message;
  return routeTo(flit, from);
}

/// Is called as the first flit of a buffer leaves by a port. If that is not the
/// way to all its destinations, what leaves is a copy for those to which it is;
/// the flit, whose way is `first`, keeps the others. The local port takes a
/// copy for each destination. The copy takes along the links that were passed
/// so far, so that each counts once. Returns what leaves.
FlitRoute FlitMesh::part(const Tile &tile, uint32_t port, FlitRoute &first) {
  const uint32_t flit = first.flit();
  const Span<Destination> to = destinations[flit].to;
  if (to.size() < 2)
    return first;
  const auto [x, y] = tile.place;
  const Destination *rest = std::partition_point(
      to.begin() + 1, to.end(), [&, x = x, y = y](const Destination &d) {
        switch (port) {
        case West:
          return d.x < x;
        case North:
          return d.x == x && d.y < y;
        case South:
          return d.x == x;
        case East:
          return true;
        default:
          return false;
        }
      });
  if (rest == to.end())
    return first;
  const uint32_t copy = newFlit();
  flits[copy] = flits[flit];
  flits[flit].hops = {};
  destinations[copy] = {{to.begin(), rest}, destinations[flit].message};
  destinations[flit].to.first = rest;
  const FlitRoute leaving = routeTo(copy, tile);
  first = aimAtFirst(flit, tile);
  ++flying;
  return leaving;
}

/// The first flit of an input stays for its next copy, after an interval.
void FlitMesh::stay(Tile &tile, uint32_t from, Output &input, uint64_t now) {
  input.nextRead = now + reads[input.times];
  tile.soonest[from] = input.nextRead;
  tile.out[from] = static_cast<uint8_t>(input.front().route.port());
}

} // namespace dendrolith
