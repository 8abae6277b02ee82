// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network on chip: one event-driven mesh of input-buffered routers with
// dimension-order routing (x first), single-flit messages and credits. Knows
// nothing of SystemC, neurons or energy; a process that keeps the time calls
// advance().
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
// a link and the reading side of a buffer pass one flit per interval. With a
// grid, every one of these times is rounded up to a multiple.
//
// Tiles reach each other only through links and their credits, which take some
// time. For so long each tile runs alone: advanceUntil() takes them one after
// the other, each through all its instants, with what it needs in the first
// cache and no queue of events for the whole mesh.

#ifndef NEURITE_SIMULATOR_TIMING_NOC_MESH_H
#define NEURITE_SIMULATOR_TIMING_NOC_MESH_H

#include "simulator/timing/Time.h"
#include "simulator/timing/noc/Buffer.h"
#include "targets/loader/Timing.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace neurite::sim {

/// What travels. `source` and `destination` are endpoints; `message` and `rest`
/// belong to the sender. The mesh counts the links really travelled.
struct Flit {
  uint64_t message = 0;
  uint32_t source = 0, destination = 0;
  uint32_t rest = 0;              // flits of the same message still to come
  std::array<uint16_t, 2> hops{}; // east-west, north-south
};

/// What the endpoints (cores and the host) hear from the mesh.
class MeshListener {
public:
  virtual ~MeshListener() = default;
  /// The injection port took the endpoint's flit at `time`. May offer the next.
  virtual void accepted(uint32_t endpoint, uint64_t time) = 0;
  /// The flit enters its destination's receive queue at `time`: told as soon as
  /// it is certain, in order for each destination. The slot stays taken until
  /// Mesh::release().
  virtual void ejected(const Flit &flit, uint64_t time) = 0;
};

class Mesh {
public:
  /// Ports and buffers are named by the direction in which flits travel
  /// through them; x grows to the east, y to the south.
  enum Port : uint32_t { North, South, East, West, Local, NumPorts };

  /// Where something is attached: to the local port of `tile`, with a receive
  /// queue of `slots` flits (Buffer::unlimited: takes everything).
  struct Endpoint {
    uint32_t tile = 0;
    uint32_t slots = Buffer::unlimited;
  };

  /// Endpoints of one tile share its local port; ties go by their index.
  Mesh(const NocTiming &timing, uint32_t tilesX, uint32_t tilesY,
       const std::vector<Endpoint> &endpoints, MeshListener &listener);

  /// Endpoint `flit.source` has a flit ready at `time` (not before now());
  /// one at a time, the next after accepted().
  void offer(const Flit &flit, uint64_t time);

  /// The endpoint frees one slot of its receive queue at `time` (rising).
  void release(uint32_t endpoint, uint64_t time);

  /// The next instant at which something may happen, or `never`.
  uint64_t nextTime() const { return next; }

  /// Makes everything happen that happens at nextTime(), in order of time.
  void advance();
  /// The same for everything before `end`, without which nothing outside has a
  /// say: listeners hear of one tile after the other, each in order of time.
  void advanceUntil(uint64_t end);

  uint64_t now() const { return time; }
  /// Flits between acceptance and leaving their last router.
  uint64_t inFlight() const { return flying; }
  /// Nothing is offered or in flight.
  bool idle() const { return flying == 0 && offered == 0; }
  /// Empty if idle, else the first place (in router and port order) where
  /// something waits: for the report of a deadlock. `name` names an endpoint.
  std::string whatWaits(const std::function<std::string(uint32_t)> &name) const;

  struct Link {
    uint64_t flits = 0;  // sent
    uint64_t waited = 0; // ps, in the buffer before they were sent, summed
  };
  const Link &link(uint32_t tile, Port port) const {
    return tiles[tile].outputs[port].link;
  }
  uint32_t numTiles() const { return width * height; }
  /// The tile that a link leads to.
  uint32_t neighbour(uint32_t tile, uint32_t port) const {
    return tile + static_cast<uint32_t>(toNext[port]);
  }

  /// For tests: called with everything that is due together. No result may
  /// depend on what it does to the order.
  std::function<void(std::vector<uint32_t> &)> reorder;

private:
  /// An output of a router and the buffer behind it: that of the next router
  /// or, where the local port leads to cores, the router's own local buffer,
  /// which the injection port fills; the queues of cores are their own. One
  /// cache line.
  struct alignas(64) Output : Buffer {
    uint32_t turn = 0; // first in line, round robin
    Link link;
    uint64_t nextSend = 0; // through the output, one per interval
    uint64_t nextRead = 0; // from the buffer, one per interval
  };
  static_assert(sizeof(Output) == 64);
  struct InjectionPort {
    uint64_t nextSend = 0;
    uint32_t first = 0, count = 0; // its endpoints in `ready`
    uint32_t turn = 0;
    uint32_t offers = 0; // endpoints with a flit, ready or not yet
  };
  /// What waits in a tile: the first flit of each input, or the injection port.
  enum Waiter : uint32_t { Injector = NumPorts, NumWaiters };
  static constexpr uint32_t injectorBit = 1u << Injector;
  struct Tile {
    /// When each waiter may move at the earliest, as far as known; `never`:
    /// nothing waits, or for a slot that is not on its way back.
    std::array<uint64_t, NumWaiters> when;
    /// By output: bits of the inputs whose first flit goes there.
    std::array<uint8_t, NumPorts> wanted{};
    /// By input: the output of its first flit, if there is one.
    std::array<uint8_t, NumPorts> out{};
    std::array<uint16_t, 2> place{}; // x, y
    std::array<Output, NumPorts> outputs;
  };
  /// A flit that is offered or in flight.
  struct Traveller {
    Flit flit;
    // By dimension, x first: the place it goes to; the port that leads there
    // and the port from there on.
    std::array<uint16_t, 2> to;
    std::array<std::array<uint8_t, 2>, 2> ports;
  };
  struct EndpointState {
    uint32_t tile;
    uint32_t place = 0;   // in `ready`
    uint32_t offered = 0; // in `travellers`
    bool takesAll;        // without a queue
    Buffer queue;
  };

  uint32_t indexOf(const Tile &tile) const { return &tile - tiles.data(); }
  /// The input of a tile is the sender's output.
  Output &inputOf(Tile &tile, uint32_t port) {
    return (&tile - toNext[port])->outputs[port];
  }
  static uint32_t route(const Tile &tile, const Traveller &flit,
                        uint32_t along);
  static uint64_t earliest(const Tile &tile);
  /// The buffer that the first flit of an input goes to.
  Buffer &ahead(Tile &tile, uint32_t input) {
    if (tile.out[input] != Local)
      return tile.outputs[tile.out[input]];
    const uint32_t flit = inputOf(tile, input).front().flit;
    EndpointState &to = endpoints[travellers[flit].flit.destination];
    return to.takesAll ? endless : to.queue;
  }
  uint64_t bound(Tile &tile, uint32_t input);
  uint64_t injectionBound(uint32_t tile) const;
  void enter(Tile &tile, uint32_t port, const Buffer::Slot &flit);
  void leave(Tile &tile, uint32_t from, Output &input);
  bool mayLeave(Tile &tile, uint32_t input, Buffer &to);
  void send(Tile &tile, uint32_t input);
  void eject(Tile &tile, uint32_t from, Output &input);
  void wake(Tile &tile, uint32_t waiter, uint64_t when);
  void wakeInputs(Tile &tile, uint32_t port);
  void wakeSender(Tile &tile, uint32_t input);
  void arbitrate(Tile &tile, uint32_t due);
  void arbitrateOutput(Tile &tile, uint32_t input, uint32_t due);
  void arbitrateInputs(Tile &tile, uint32_t inputs);
  void arbitrateInjection(uint32_t tile);
  uint32_t dueAt(const Tile &tile) const;
  void findDue();
  void shuffleDue();
  void runAlone(uint64_t end);

  uint32_t width, height;
  uint64_t grid;
  std::array<PortTiming, NumPorts> ports; // all delays on the grid
  std::array<int32_t, NumPorts> toNext;   // from a tile to the one behind it
  uint64_t entry; // from hand-over to the router's local buffer
  /// From a slot freed in the input buffer to the send that it serves.
  std::array<uint64_t, NumPorts> returns;
  /// What happens in a tile shows in no other for so long.
  uint64_t lookahead;
  uint64_t longest; // of all delays: nothing is planned further ahead
  MeshListener &listener;
  std::vector<Tile> tiles;
  std::vector<uint64_t> nexts;           // by tile: the first of its waiters
  std::vector<InjectionPort> injections; // by tile
  std::vector<EndpointState> endpoints;
  // Endpoints tile by tile: when each has a flit (`never`: none), and which.
  std::vector<uint64_t> ready;
  std::vector<uint32_t> attached;
  Buffer endless; // stands for the queues that take everything
  std::vector<Traveller> travellers;
  std::vector<uint32_t> unused;                      // of `travellers`
  std::vector<std::pair<uint32_t, uint32_t>> dueNow; // tile, its waiters
  std::vector<uint32_t> batch;
  uint64_t time = 0, next = never, flying = 0, offered = 0;
  uint64_t round = 0;
  uint32_t accepting = UINT32_MAX; // the tile that tells that it took a flit
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_NOC_MESH_H
