// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A traffic generator for the mesh alone: one endpoint per tile, every flit
// taken as soon as it arrives.

#ifndef DENDROLITH_TESTS_TARGETS_MESH_TRAFFIC_H
#define DENDROLITH_TESTS_TARGETS_MESH_TRAFFIC_H

#include "tests/targets/mesh/NocExperiment.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <random>
#include <vector>

namespace dendrolith::test {

/// Loihi 1's unequal self-timed delays.
inline NocTiming selfTimedMesh(uint64_t buffer) {
  NocTiming noc = clockedMesh(buffer);
  noc.grid = noc.local.forward = 0;
  noc.east.forward = noc.west.forward = 4100;
  noc.north.forward = noc.south.forward = 6500;
  for (PortTiming *port :
       {&noc.north, &noc.south, &noc.east, &noc.west, &noc.local})
    port->interval = 582;
  noc.local.inject = noc.local.eject = 1050;
  noc.local.credit = 3000;
  return noc;
}

/// One flit that has arrived.
struct Arrival {
  uint64_t message, time;
  uint32_t source, destination;
  bool operator==(const Arrival &o) const {
    return message == o.message && time == o.time && source == o.source &&
           destination == o.destination;
  }
};

class Traffic : public MeshListener {
public:
  Traffic(const NocTiming &noc, uint32_t tilesX, uint32_t tilesY,
          uint32_t slots = CreditBuffer::unlimited, uint32_t perTile = 1,
          uint32_t chipsX = 1, uint32_t chipsY = 1)
      : endpoints(attach(tilesX * tilesY, slots, perTile)),
        mesh(noc, tilesX, tilesY, endpoints, *this, chipsX, chipsY),
        tilesX(tilesX), waiting(endpoints.size()), offering(endpoints.size()) {}

  /// A flit created at `time`; later ones of one source come later.
  void add(uint32_t source, uint32_t destination, uint64_t time) {
    Flit flit;
    flit.source = source;
    flit.destination = destination;
    flit.message = created++;
    waiting[source].push_back({flit, {}, time});
    next(source, 0);
  }

  /// The same for a flit with several destinations, one or more. Their copies
  /// have numbers of their own, in the order given.
  void add(uint32_t source, const std::vector<uint32_t> &to, uint64_t time) {
    Flit flit;
    flit.source = source;
    flit.message = created;
    std::vector<Destination> &all = sets.emplace_back();
    for (uint32_t endpoint : to) {
      const uint32_t tile = endpoints[endpoint].tile;
      all.push_back({endpoint, static_cast<uint16_t>(tile % tilesX),
                     static_cast<uint16_t>(tile / tilesX), all.size()});
    }
    created += all.size();
    std::stable_sort(all.begin(), all.end(),
                     [](const Destination &a, const Destination &b) {
                       return std::pair(a.x, a.y) < std::pair(b.x, b.y);
                     });
    waiting[source].push_back(
        {flit, {all.data(), all.data() + all.size()}, time});
    next(source, 0);
  }

  void runUntil(uint64_t end) {
    while (mesh.nextTime() < end)
      mesh.advance();
  }

  void accepted(uint32_t endpoint, uint64_t time) override {
    offering[endpoint] = false;
    acceptedAt.push_back({endpoint, time});
    next(endpoint, time);
  }

  void ejected(const Flit &flit, uint64_t time) override {
    arrivals.push_back({flit.message, time, flit.source, flit.destination});
    hopsEw += flit.hops[0];
    hopsNs += flit.hops[1];
    crossings += flit.hops[2];
    if (service != never)
      mesh.release(flit.destination, time + service);
  }

  static std::vector<FlitMesh::Endpoint> attach(uint32_t tiles, uint32_t slots,
                                                uint32_t perTile) {
    std::vector<FlitMesh::Endpoint> result;
    for (uint32_t i = 0; i < tiles * perTile; ++i)
      result.push_back({i / perTile, slots});
    return result;
  }

  std::vector<FlitMesh::Endpoint> endpoints;
  FlitMesh mesh;
  std::vector<Arrival> arrivals;
  std::vector<std::pair<uint32_t, uint64_t>> acceptedAt;
  uint64_t hopsEw = 0, hopsNs = 0, crossings = 0;
  uint64_t service = 0; // ps from arrival to a free slot; never = blocked

private:
  void next(uint32_t source, uint64_t time) {
    if (offering[source] || waiting[source].empty())
      return;
    const Waiting first = waiting[source].front();
    waiting[source].pop_front();
    offering[source] = true;
    const uint64_t when = std::max(first.created, time);
    if (first.to.size())
      mesh.offer(first.flit, first.to, when);
    else
      mesh.offer(first.flit, when);
  }

  struct Waiting {
    Flit flit;
    Span<Destination> to; // none if it has but the one that it names
    uint64_t created;
  };
  uint32_t tilesX;
  std::deque<std::vector<Destination>> sets; // stay where they are
  std::vector<std::deque<Waiting>> waiting;
  std::vector<bool> offering;
  uint64_t created = 0;
};

/// Bernoulli traffic at every tile in every cycle of 1 ns.
template <typename Pattern>
void addBernoulli(Traffic &traffic, uint32_t tiles, double rate,
                  uint64_t cycles, unsigned seed, Pattern pattern) {
  std::mt19937_64 random(seed);
  const uint64_t below = static_cast<uint64_t>(rate * 4294967296.0);
  for (uint64_t cycle = 0; cycle < cycles; ++cycle)
    for (uint32_t tile = 0; tile < tiles; ++tile)
      if ((random() >> 32) < below)
        traffic.add(tile, pattern(tile, random), cycle * 1000);
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_TARGETS_MESH_TRAFFIC_H
