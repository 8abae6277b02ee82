// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network on chip: one event-driven mesh of input-buffered routers with
// dimension-order routing (x first), single-flit messages and credits. The mesh
// knows nothing of SystemC, neurons or energy; a process that keeps the time
// calls advance().
//
// A flit that a core hands over at time s passes the injection port at s +
// local.inject and is in its router's local buffer local.forward later. A head
// flit that wins the arbitration for a mesh port at time g leaves its slot at
// g, and is in the next router's buffer at g + forward. For the local port it
// is in its core's receive queue at g + local.eject. So a flit over dx, dy
// takes, unloaded, exactly what targets/loader/chip/Timing.h says:
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
// a link and the reading side of a buffer pass one flit per interval. Where the
// turn goes round by the clock, the reading side and the injection port pass
// one per turn. With a grid, every one of these times is rounded up to a
// multiple.
//
// Tiles reach each other only through links and their credits, which take some
// time. For so long each tile runs alone. advanceUntil() takes them one after
// the other, each through all its instants, with what it needs in the first
// cache and no queue of events for the whole mesh. Many busy tiles do so
// together (FlitMeshWindow.cpp). A tile knows when each of its inputs and its
// injection port may move. So nobody asks in vain, but for a flit whose core
// has no room.
//
// A flit may have several destinations. It travels once over each link of the
// union of their routes (FlitMeshMulticast.cpp). Where ways part, copies leave
// its buffer one after the other, each when its own port and the buffer behind
// that are free. The last of them frees the slot. Every copy is a flit with one
// slot of its own.
//
// The plain twin of advanceUntil() is advance() without a lookahead, which
// settles all tiles round by round; MeshTest compares both and shuffles every
// order. MeshClosedFormTest has times that follow from the definitions above.

#ifndef DENDROLITH_TARGETS_MESH_FLITMESH_H
#define DENDROLITH_TARGETS_MESH_FLITMESH_H

#include "targets/loader/chip/Timing.h"
#include "targets/mesh/Flit.h"
#include "targets/mesh/MeshTile.h"
#include "targets/support/Span.h"
#include "targets/support/Time.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

class FlitMesh : public Ports {
public:
  /// Where something is attached: to the local port of `tile`, with a receive
  /// queue of `slots` flits (one that takes everything has
  /// CreditBuffer::unlimited).
  struct Endpoint {
    uint32_t tile = 0;
    uint32_t slots = CreditBuffer::unlimited;
  };

  /// Endpoints of one tile share its local port; their index decides ties.
  /// A tile's index is y * tilesX + x. Links that lead from one of `chipsX` by
  /// `chipsY` chips to the next have times of their own.
  FlitMesh(const NocTiming &timing, uint32_t tilesX, uint32_t tilesY,
           const std::vector<Endpoint> &endpoints, MeshListener &listener,
           uint32_t chipsX = 1, uint32_t chipsY = 1);

  /// Endpoint `flit.source` has a flit ready at `time` (not before now()). An
  /// endpoint offers one flit at a time, and the next one after accepted().
  void offer(const Flit &flit, uint64_t time);
  /// The same for a flit of which each of `to` gets a copy; flit.destination is
  /// not read. `to` has one or more, sorted by x and then by y, and stays where
  /// it is while the flit travels.
  void offer(const Flit &flit, Span<Destination> to, uint64_t time);

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
  /// While accepted() is told: from when on the port took flits again. What a
  /// flit waited until then is the port's interval, and what it waited longer,
  /// a full buffer.
  uint64_t portFreeFrom() const { return portFree; }
  /// Makes all as it was before the first flit, but for what links carried: no
  /// slot is on its way back, and every turn is that of the first in line. The
  /// mesh is idle.
  void restart();
  /// By output and injection port, whose turn it is: all that an idle mesh
  /// keeps when the longest delay has gone by. Numbers are equal where no flit
  /// could tell the difference.
  std::vector<uint32_t> turns() const;
  /// Makes them those of a mesh of this shape.
  void turnTo(const std::vector<uint32_t> &all);
  /// As if the flit of an endpoint had been the last to pass its port.
  void turnBehind(uint32_t endpoint);
  /// Links have carried nothing yet.
  void forgetLinks();
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

  using Link = LinkTraffic;
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

  /// Whether flits count the links that they pass; whoever does not read that
  /// saves the time.
  void countHops(bool wanted) { counting = wanted; }

  /// Tests set this. It is called with everything that is due together, and no
  /// result may depend on what it does to the order.
  std::function<void(std::vector<uint32_t> &)> reorder;
  /// Tests set these, too: so many tiles that have something to do are few, and
  /// only what any processor can do is used.
  static constexpr uint32_t usuallyFew = 6;
  uint32_t fewTiles = usuallyFew;
  bool anyProcessor = false;

  struct Plan; // what many tiles do next (FlitMeshWindow.cpp)

private:
  using Tile = MeshTile;
  using Output = MeshTile::Output;
  struct InjectionPort {
    uint64_t soonest = never; // when it has a flit and may pass it
    uint64_t nextSend = 0;
    uint32_t first = 0, count = 0; // the place of its endpoints in `offers`
    uint32_t turn = 0;             // the endpoint that is first in line
  };
  struct Offer {
    uint64_t ready = never; // when; `never` if there is no flit
    FlitRoute route;
  };
  /// Times are those of a port, or of the links between chips.
  enum Times : uint32_t { Crossing = NumPorts, NumTimes };
  /// The destinations that a flit still has to reach; none if it has but the
  /// one that it names. It is routed to the first of them.
  struct Destinations {
    Span<Destination> to;
    uint64_t message = 0; // of the flit as it was offered
  };
  struct EndpointState {
    uint32_t tile;
    uint32_t place = 0; // index into `offers`
    bool takesAll;      // whether it has no queue
    CreditBuffer queue;
    uint64_t room() const { return takesAll ? 0 : queue.next(); }
  };

  uint32_t indexOf(const Tile &tile) const { return &tile - tiles.data(); }
  /// The input of a tile, which is the output of the tile that sends to it.
  const Output &inputOf(const Tile &tile, uint32_t port) const {
    return (&tile - toNext[port])->outputs[port];
  }
  Output &inputOf(Tile &tile, uint32_t port) {
    return (&tile - toNext[port])->outputs[port];
  }
  EndpointState &destinationOf(const Tile &tile, uint32_t input) {
    const CreditBuffer::Slot &first = inputOf(tile, input).front();
    return endpoints[flits[first.route.flit()].destination];
  }
  uint64_t earliestOfAll() const;
  uint32_t nextInLine(const InjectionPort &port, uint64_t now) const;
  uint32_t newFlit();
  FlitRoute routeTo(uint32_t flit, const Tile &from) const;
  FlitRoute aimAtFirst(uint32_t flit, const Tile &from);
  FlitRoute part(const Tile &tile, uint32_t port, FlitRoute &first);
  void stay(Tile &tile, uint32_t from, Output &input, uint64_t now);
  void announce(EndpointState &from, FlitRoute route, uint64_t time);
  void enter(Tile &tile, uint32_t index, uint32_t port, bool first,
             uint64_t soonest, uint32_t out);
  void leave(Tile &tile, uint32_t from, Output &input, uint64_t now);
  template <bool plain>
  void forward(Tile &tile, uint32_t index, uint32_t from, uint32_t port,
               uint64_t now);
  template <bool plain> void eject(Tile &tile, uint32_t from, uint64_t now);
  void inject(Tile &tile, uint32_t index, uint64_t now);
  void wakeInputs(Tile &tile, uint32_t port);
  void wakeSender(Tile &tile, uint32_t input);
  bool hasRoom(Tile &tile, uint32_t input, uint64_t now);
  uint32_t withRoom(Tile &tile, uint32_t inputs, uint64_t now);
  uint32_t winner(const Tile &tile, uint32_t port, uint32_t inputs,
                  uint64_t now) const;
  uint32_t winnerByClock(uint32_t able, uint64_t now) const;
  template <bool plain>
  void settle(Tile &tile, uint32_t index, uint32_t port, uint32_t inputs,
              uint64_t now);
  void arbitrate(Tile &tile, uint32_t due);
  void findDue();
  void shuffleDue();
  void restart(Tile &tile);
  void injectUntil(Tile &tile, uint32_t index, uint64_t end);
  template <bool plain> void runOne(uint32_t tile, uint64_t end);
  const uint32_t *collect(Plan &plan, const uint32_t *tile, uint64_t end) const;
  void askAll(Plan &plan, uint64_t end);
  template <bool plain> void runMany(Plan &plan, uint64_t end);
  template <bool plain> void runWindow(uint64_t end);
  void runWindow(uint64_t end);

  uint32_t width, height;
  uint64_t grid;
  uint64_t turnTime; // ps for which it is one input's turn; 0: by grants
  std::array<PortTiming, NumTimes> ports; // with all delays on the grid
  std::array<int32_t, NumPorts> toNext; // from a tile to the one behind a port
  uint64_t portFree = 0;                // at the last injection
  uint64_t entry; // ps from the hand-over to the router's local buffer
  std::array<uint64_t, NumTimes> forwards, intervals; // of `ports`
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
  bool counting = true;   // whether flits count links
  MeshListener &listener;
  std::vector<Tile> tiles;
  std::vector<uint64_t> nexts;           // by tile, its earliest requester
  uint32_t firstTile = 0, endTile = 0;   // those that a flit may come to
  std::vector<InjectionPort> injections; // by tile
  std::vector<EndpointState> endpoints;
  std::vector<std::array<uint16_t, 2>> places; // of endpoints: x, y
  // Endpoints tile by tile: what each offers, and which endpoint it is.
  std::vector<Offer> offers;
  std::vector<uint32_t> attached;
  std::vector<Flit> flits;                // offered or in flight
  std::vector<Destinations> destinations; // as `flits`, once there are some
  std::vector<uint32_t> unused;           // places in `flits`
  std::vector<std::pair<uint32_t, uint32_t>> dueNow; // tile, its requesters
  std::vector<uint32_t> batch;
  std::vector<uint32_t> order; // in which tiles take their turn in a window
  uint64_t time = 0, next = never, flying = 0, offered = 0;
  uint64_t last = 0; // when something happened in the window that goes on
  uint32_t accepting = UINT32_MAX; // the tile whose port takes a flit just now
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_FLITMESH_H
