// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits in a mesh, until when (as far as known), and what a slot wakes
// that is on its way: these are the paths that traffic below saturation does
// not take.

#include "simulator/timing/noc/Mesh.h"

#include <algorithm>
#include <string>

namespace neurite::sim {

void Mesh::wake(Tile &tile, uint32_t requester, uint64_t when) {
  tile.when[requester] = std::min(tile.when[requester], when);
  uint64_t &first = nexts[indexOf(tile)];
  first = std::min(first, when);
  next = std::min(next, when);
}

/// The time before which the first flit of an input cannot leave, as far as
/// known.
uint64_t Mesh::bound(Tile &tile, uint32_t from) {
  const Output &input = inputOf(tile, from);
  const uint64_t at = std::max({input.front().time, input.nextRead,
                                tile.outputs[tile.out[from]].nextSend});
  return std::max(at, ahead(tile, from).next(at));
}

/// The same for the flits that cores offer.
uint64_t Mesh::injectionBound(uint32_t tile) const {
  const InjectionPort &port = injections[tile];
  if (port.offers == 0)
    return never;
  uint64_t at = ready[port.first];
  for (uint32_t i = 1; i < port.count; ++i)
    at = std::min(at, ready[port.first + i]);
  at = std::max(at, port.nextSend);
  return std::max(at, tiles[tile].outputs[Local].next(at));
}

/// Wakes the inputs whose flits wait for a slot behind `port` of a tile, which
/// is on its way now.
void Mesh::wakeInputs(Tile &tile, uint32_t port) {
  for (uint32_t left = tile.wanted[port]; left; left &= left - 1) {
    const uint32_t input = __builtin_ctz(left);
    if (tile.when[input] == never)
      wake(tile, input, std::max(time, bound(tile, input)));
  }
}

/// Wakes what sends to `input` of a tile, which was full and has a slot again.
void Mesh::wakeSender(Tile &tile, uint32_t input) {
  Tile &sender = *(&tile - toNext[input]);
  if (input != Local)
    wakeInputs(sender, input);
  else // This holds, too, if another core of the tile has offered a later flit.
    wake(tile, Injector, std::max(time, injectionBound(indexOf(tile))));
}

std::string
Mesh::whatWaits(const std::function<std::string(uint32_t)> &name) const {
  static const char *const names[] = {"north", "south", "east", "west",
                                      "local"};
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    std::string place = "router (" + std::to_string(tile % width) + ", " +
                        std::to_string(tile / width) + ")";
    for (uint32_t port = 0; port < NumPorts; ++port) {
      const uint32_t sender = tile - static_cast<uint32_t>(toNext[port]);
      if (sender >= numTiles() || tiles[sender].outputs[port].empty())
        continue;
      const Buffer &buffer = tiles[sender].outputs[port];
      const Flit &flit = routed[buffer.front().flit].flit;
      return place + ", " + names[port] +
             " buffer: " + std::to_string(buffer.size()) +
             " flits wait for the " + names[tiles[tile].out[port]] +
             " port, the first from " + name(flit.source) + " to " +
             name(flit.destination);
    }
    const InjectionPort &port = injections[tile];
    for (uint32_t i = port.first; i < port.first + port.count; ++i)
      if (ready[i] != never)
        return place + ", injection port: " + name(attached[i]) + " waits";
  }
  return "";
}

} // namespace neurite::sim
