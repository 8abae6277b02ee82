// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network on chip: one event-driven mesh of input-buffered routers with
// dimension-order routing (x first), single-flit messages and credits. The mesh
// knows nothing of SystemC, neurons or energy; a process that keeps the time
// calls advance().
//
// A flit that a core hands over at time s passes the injection port at
// s + local.inject and is in its router's local buffer local.forward later. A
// head flit that wins the arbitration for a mesh port at time g leaves its slot
// at g and is in the next router's buffer at g + forward; for the local port it
// is in its core's receive queue at g + local.eject. So a flit over dx, dy
// takes, unloaded, exactly what targets/loader/Timing.h says:
//   local.inject + local.forward + dx * forward(E/W) + dy * forward(N/S)
//   + local.eject.
// A router clocked like BookSim2's (a cycles per router and link, and one for
// each of the two local channels) has forward = a everywhere, inject = eject
// = 1: a * R + 2 over R routers.
// (BookSim2: N. Jiang et al., A Detailed and Flexible Cycle-Accurate
// Network-on-Chip Simulator, ISPASS 2013, https://github.com/booksim/booksim2)
//
// A slot freed at g may be used again from g + credit on by a flit that passes
// the port then: on every port, injection included, a slot is taken again
// forward + credit after it was taken at the earliest. Both the sending side of
// a link and the reading side of a buffer pass one flit per interval; where the
// turn goes round by the clock, the reading side and the injection port pass
// one per turn. With a grid, every one of these times is rounded up to a
// multiple.
//
// Tiles reach each other only through links and their credits, which take some
// time. For so long each tile runs alone: advanceUntil() takes them one after
// the other, each through all its instants, with what it needs in the first
// cache and no queue of events for the whole mesh. Masks of bits and sums of
// comparisons stand where a branch would often be mispredicted.
//
// A flit may have several destinations. It travels once over each link of the
// union of their routes (MeshMulticast.cpp): where ways part, copies leave its
// buffer one after the other, each when its own port and the buffer behind that
// are free, and the slot is freed by the last of them. Every copy is a flit
// with one slot of its own.
//
// The plain twin of advanceUntil() is advance() without a lookahead, which
// settles all tiles round by round; MeshTest compares both and shuffles every
// order. MeshClosedFormTest has times that follow from the definitions above.
// `neurite-noc-traffic --speed` shows the gain: without the lookahead it passes
// 4 to 6 % fewer flits per second, with branches in place of the masks 22 %
// fewer, and with a branch in place of the table of routes 11 % fewer.

#ifndef NEURITE_SIMULATOR_TIMING_NOC_MESH_H
#define NEURITE_SIMULATOR_TIMING_NOC_MESH_H

#include "simulator/functional/delivery/Range.h"
#include "simulator/timing/Time.h"
#include "simulator/timing/noc/Buffer.h"
#include "simulator/timing/noc/Flit.h"
#include "targets/loader/Timing.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace neurite::sim {

class Mesh {
public:
  /// Ports and buffers are named by the direction in which flits travel
  /// through them; x grows to the east, y to the south.
  enum Port : uint32_t { North, South, East, West, Local, NumPorts };

  /// Where something is attached: to the local port of `tile`, with a receive
  /// queue of `slots` flits (one that takes everything has Buffer::unlimited).
  struct Endpoint {
    uint32_t tile = 0;
    uint32_t slots = Buffer::unlimited;
  };

  /// Endpoints of one tile share its local port; their index decides ties.
  /// A tile's index is y * tilesX + x. Links that lead from one of `chipsX` by
  /// `chipsY` chips to the next have times of their own.
  Mesh(const NocTiming &timing, uint32_t tilesX, uint32_t tilesY,
       const std::vector<Endpoint> &endpoints, MeshListener &listener,
       uint32_t chipsX = 1, uint32_t chipsY = 1);

  /// Endpoint `flit.source` has a flit ready at `time` (not before now()). An
  /// endpoint offers one flit at a time, and the next one after accepted().
  void offer(const Flit &flit, uint64_t time);
  /// The same for a flit that goes to all of `to`, which are one or more,
  /// sorted by x and then by y, and stay where they are while it travels. Each
  /// of them gets a copy; flit.destination is not read.
  void offer(const Flit &flit, Range<Destination> to, uint64_t time);

  /// The endpoint frees one slot of its receive queue at `time`, which never
  /// falls from call to call.
  void release(uint32_t endpoint, uint64_t time);

  /// The next instant at which something may happen, or `never`.
  uint64_t nextTime() const { return next; }

  /// Makes everything happen that happens at nextTime(), in order of time.
  void advance();
  /// The same for everything before `end`, if nothing outside can change it:
  /// listeners hear of one tile after the other, each in order of time.
  void advanceUntil(uint64_t end);

  uint64_t now() const { return time; }
  /// Makes all as it was before the first flit, but for what links carried: no
  /// slot is on its way back, and every turn is that of the first in line. The
  /// mesh is idle.
  void restart();
  /// The first instant from `time` on at which a mesh that restarts does what a
  /// new one would do at 0: clock and turns begin there.
  uint64_t beginFrom(uint64_t time) const;
  /// How many flits have been accepted and have not left their last router;
  /// copies count from where they part.
  uint64_t inFlight() const { return flying; }
  /// Whether nothing is offered or in flight.
  bool idle() const { return flying == 0 && offered == 0; }
  /// The first place (in router and port order) where something waits, for the
  /// report of a deadlock; empty if idle. `name` names an endpoint.
  std::string whatWaits(const std::function<std::string(uint32_t)> &name) const;

  struct Link {
    uint64_t flits = 0;  // that were sent
    uint64_t waited = 0; // ps that all of them waited in the buffer before
  };
  const Link &link(uint32_t tile, Port port) const {
    return tiles[tile].outputs[port].link;
  }
  /// The least distance of two flits on a link.
  uint64_t interval(uint32_t tile, Port port) const {
    return ports[tiles[tile].outputs[port].times].interval;
  }
  uint32_t numTiles() const { return width * height; }
  /// The tile that a link leads to.
  uint32_t neighbour(uint32_t tile, uint32_t port) const {
    return tile + static_cast<uint32_t>(toNext[port]);
  }

  /// Tests set this. It is called with everything that is due together, and no
  /// result may depend on what it does to the order.
  std::function<void(std::vector<uint32_t> &)> reorder;

private:
  /// An output of a router and the buffer behind it: that of the next router
  /// or, where the local port leads to cores, the router's own local buffer,
  /// which the injection port fills; the queues of cores are their own. It
  /// takes one cache line.
  struct alignas(64) Output : Buffer {
    uint16_t turn = 0;  // the input that is first in line, round robin
    uint16_t times = 0; // its place in `ports`
    Link link;
    uint64_t nextSend = 0; // when the output may pass the next flit
    uint64_t nextRead = 0; // when the buffer may give the next flit
  };
  static_assert(sizeof(Output) == 64);
  struct InjectionPort {
    uint64_t nextSend = 0;
    uint32_t first = 0, count = 0; // the place of its endpoints in `ready`
    uint32_t turn = 0;             // the endpoint that is first in line
    uint32_t offers = 0;           // how many have a flit, ready or not yet
  };
  /// What asks to move in a tile: the first flit of each input (by its port),
  /// or the injection port.
  enum Requester : uint32_t { Injector = NumPorts, NumRequesters };
  static constexpr uint32_t injectorBit = 1u << Injector;
  /// Times are those of a port, or of the links between chips.
  enum Times : uint32_t { Crossing = NumPorts, NumTimes };
  struct Tile {
    /// When each requester may move at the earliest, as far as known. `never`
    /// if it has nothing, or waits for a slot that is not on its way back.
    std::array<uint64_t, NumRequesters> when;
    /// For each output, a bit for every input whose first flit goes there.
    std::array<uint8_t, NumPorts> wanted{};
    /// For each input, the output of its first flit, if there is one.
    std::array<uint8_t, NumPorts> out{};
    std::array<uint16_t, 2> place{}; // x, y
    std::array<Output, NumPorts> outputs;
  };
  /// A flit that is offered or in flight, and its route.
  struct RoutedFlit {
    Flit flit;
    // For each dimension, x first, the place it goes to, the port that leads
    // there, and the port from there on.
    std::array<uint16_t, 2> to;
    std::array<std::array<uint8_t, 2>, 2> ports;
  };
  /// The destinations that a flit still has to reach; none if it has but the
  /// one that it names. It is routed to the first of them.
  struct Destinations {
    Range<Destination> to;
    uint64_t message = 0; // of the flit as it was offered
  };
  struct EndpointState {
    uint32_t tile;
    uint32_t place = 0;   // index into `ready`
    uint32_t offered = 0; // index into `routed`
    bool takesAll;        // whether it has no queue
    Buffer queue;
  };

  uint32_t indexOf(const Tile &tile) const { return &tile - tiles.data(); }
  /// The input of a tile, which is the output of the tile that sends to it.
  Output &inputOf(Tile &tile, uint32_t port) {
    return (&tile - toNext[port])->outputs[port];
  }
  /// The port by which a flit leaves a router that it reached in a dimension.
  /// It is read from a table, because where a flit turns cannot be predicted.
  static uint32_t route(const Tile &tile, const RoutedFlit &flit,
                        uint32_t along) {
    return flit.ports[along][tile.place[along] == flit.to[along]];
  }
  static uint64_t earliest(const Tile &tile);
  uint64_t earliestOfAll() const;
  /// The buffer that the first flit of an input goes to.
  Buffer &ahead(Tile &tile, uint32_t input) {
    if (tile.out[input] != Local)
      return tile.outputs[tile.out[input]];
    const uint32_t flit = inputOf(tile, input).front().flit;
    EndpointState &to = endpoints[routed[flit].flit.destination];
    return to.takesAll ? endless : to.queue;
  }
  uint64_t bound(Tile &tile, uint32_t input);
  uint64_t injectionBound(uint32_t tile) const;
  uint32_t newFlit();
  RoutedFlit aimed(const Flit &flit, const Tile &from) const;
  void aimAtFirst(uint32_t flit, const Tile &from);
  uint32_t part(const Tile &tile, uint32_t port, uint32_t flit);
  void stay(Tile &tile, uint32_t from, Output &input);
  void announce(const EndpointState &from, uint64_t time);
  void enter(Tile &tile, uint32_t port, const Buffer::Slot &flit);
  void leave(Tile &tile, uint32_t from, Output &input);
  bool mayLeave(Tile &tile, uint32_t input, Buffer &to);
  void send(Tile &tile, uint32_t input);
  template <bool parts> void sendFirst(Tile &tile, uint32_t input);
  void sendOrPart(Tile &tile, uint32_t input);
  template <bool parts>
  void eject(Tile &tile, uint32_t from, Output &input, uint32_t flit);
  void wake(Tile &tile, uint32_t requester, uint64_t when);
  void wakeInputs(Tile &tile, uint32_t port);
  void wakeSender(Tile &tile, uint32_t input);
  void arbitrate(Tile &tile, uint32_t due);
  void arbitrateOutput(Tile &tile, uint32_t input, uint32_t due);
  void arbitrateInputs(Tile &tile, uint32_t inputs);
  uint32_t winnerByClock(uint32_t able) const;
  void arbitrateInjection(uint32_t tile);
  uint32_t dueAt(const Tile &tile) const;
  void findDue();
  void shuffleDue();
  void runAlone(uint64_t end);

  uint32_t width, height;
  uint64_t grid;
  uint64_t turnTime; // ps for which it is one input's turn; 0: by grants
  std::array<PortTiming, NumTimes> ports; // with all delays on the grid
  std::array<int32_t, NumPorts> toNext; // from a tile to the one behind a port
  uint64_t entry; // ps from the hand-over to the router's local buffer
  /// How long it takes from a slot freed in an input buffer to the send that it
  /// allows.
  std::array<uint64_t, NumTimes> returns;
  /// The least distance of two flits that leave an input buffer, or pass the
  /// injection port.
  std::array<uint64_t, NumTimes> reads;
  /// What happens in a tile shows in no other for so long.
  uint64_t lookahead;
  uint64_t longest;       // delay; nothing is planned further ahead
  bool multicast = false; // whether a flit with several was ever offered
  MeshListener &listener;
  std::vector<Tile> tiles;
  std::vector<uint64_t> nexts;           // by tile, its earliest requester
  uint32_t firstTile = 0, endTile = 0;   // those that a flit may come to
  std::vector<InjectionPort> injections; // by tile
  std::vector<EndpointState> endpoints;
  // Endpoints tile by tile: when each has a flit (`never` if it has none), and
  // which endpoint it is.
  std::vector<uint64_t> ready;
  std::vector<uint32_t> attached;
  Buffer endless; // stands for the queues that take everything
  std::vector<RoutedFlit> routed;
  std::vector<Destinations> destinations; // as `routed`, once there are some
  std::vector<uint32_t> unused;           // places in `routed`
  std::vector<std::pair<uint32_t, uint32_t>> dueNow; // tile, its requesters
  std::vector<uint32_t> batch;
  uint64_t time = 0, next = never, flying = 0, offered = 0;
  uint64_t round = 0;
  uint32_t accepting = UINT32_MAX; // the tile whose port takes a flit just now
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_NOC_MESH_H
