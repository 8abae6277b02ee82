// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits in a mesh, until when (as far as known), and what a slot wakes
// that is on its way: these are the paths that traffic below saturation does
// not take.

#include "targets/mesh/FlitMesh.h"

#include <algorithm>
#include <string>

namespace dendrolith {

/// There is room again behind `port` of a tile, which was full: its inputs'
/// flits may have waited for that.
void FlitMesh::wakeInputs(Tile &tile, uint32_t port) {
  const Output &output = tile.outputs[port];
  if (port != Local)
    tile.open[port] = std::max(output.nextSend, output.next());
  else
    for (uint32_t left = tile.wanting(Local); left; left &= left - 1) {
      const uint32_t from = __builtin_ctz(left);
      const Output &input = inputOf(tile, from);
      if (input.empty())
        continue;
      tile.soonest[from] = std::max({input.front().time, input.nextRead, time,
                                     destinationOf(tile, from).room()});
    }
  uint64_t &first = nexts[indexOf(tile)];
  first = tile.earliest();
  next = std::min(next, first);
}

/// Wakes what sends to `input` of a tile, which was full and has a slot again.
void FlitMesh::wakeSender(Tile &tile, uint32_t input) {
  if (input != Local)
    return wakeInputs(*(&tile - toNext[input]), input);
  tile.injection =
      std::max(injections[indexOf(tile)].soonest, tile.outputs[Local].next());
}

std::string
FlitMesh::whatWaits(const std::function<std::string(uint32_t)> &name) const {
  static const char *const names[] = {"north", "south", "east", "west",
                                      "local"};
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    std::string place = "router (" + std::to_string(tile % width) + ", " +
                        std::to_string(tile / width) + ")";
    for (uint32_t port = 0; port < NumPorts; ++port) {
      const uint32_t sender = tile - static_cast<uint32_t>(toNext[port]);
      if (sender >= numTiles() || tiles[sender].outputs[port].empty())
        continue;
      const CreditBuffer &buffer = tiles[sender].outputs[port];
      const Flit &flit = flits[buffer.front().route.flit()];
      return place + ", " + names[port] +
             " buffer: " + std::to_string(buffer.size()) +
             " flits wait for the " + names[tiles[tile].out[port]] +
             " port, the first from " + name(flit.source) + " to " +
             name(flit.destination);
    }
    const InjectionPort &port = injections[tile];
    for (uint32_t i = port.first; i < port.first + port.count; ++i)
      if (offers[i].ready != never)
        return place + ", injection port: " + name(attached[i]) + " waits";
  }
  return "";
}

} // namespace dendrolith
