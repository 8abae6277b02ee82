// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open-loop traffic on the mesh alone, measured as network simulators do:
// every tile creates single-flit packets by a Bernoulli process and keeps those
// it cannot send yet in a source queue without bound; after a warm-up, packets
// created in a window are followed until all of them have arrived.

#ifndef DENDROLITH_TESTS_TARGETS_MESH_NOCEXPERIMENT_H
#define DENDROLITH_TESTS_TARGETS_MESH_NOCEXPERIMENT_H

#include "targets/mesh/FlitMesh.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace dendrolith::test {

/// Clocked at 1 ns like BookSim2's speculative single-cycle router: 3 cycles
/// per router and link, 5 cycles from taking a slot to taking it again at every
/// port, one flit per port and cycle.
inline NocTiming clockedMesh(uint64_t buffer) {
  NocTiming noc;
  noc.grid = 1000;
  for (PortTiming *port :
       {&noc.north, &noc.south, &noc.east, &noc.west, &noc.local}) {
    port->forward = 3000;
    port->credit = 2000;
    port->interval = 1000;
    port->buffer = buffer;
  }
  noc.local.inject = noc.local.eject = 1000;
  return noc;
}

struct TrafficCase {
  uint32_t width = 8, height = 8;
  std::string pattern = "uniform"; // or bitcomp, transpose
  double offered = 0.1;            // packets per tile and cycle
  uint64_t buffer = 4;             // flits
  uint64_t seed = 1;
  uint64_t warmup = 9000, measured = 36000; // cycles of 1 ns
  /// How long after the window its packets may still arrive; the network is
  /// saturated if they do not.
  uint64_t patience = 20000; // cycles
};

struct TrafficResult {
  bool stable = true;        // all packets of the window arrived
  double latency = 0;        // cycles, from creation, mean over the window
  double accepted = 0;       // arrivals per tile and cycle in the window
  double routers = 0;        // visited by a packet, mean
  uint64_t most = 0;         // cycles, largest latency
  uint64_t arrived = 0;      // flits, of the whole run
  uint64_t routerVisits = 0; // of the whole run
};

/// Bursts through the credit loops aside, no load above this can be stable:
/// 1 / the largest number of flows over one link, in packets per tile and
/// cycle.
double idealSaturation(const TrafficCase &traffic);

/// Advances by itself, so that a SystemC process may keep the time.
class NocExperiment : private MeshListener {
public:
  /// Throws Error for an unknown pattern.
  explicit NocExperiment(const TrafficCase &traffic);
  NocExperiment(const TrafficCase &traffic, const NocTiming &timing);
  ~NocExperiment();

  /// ps; `never` once the experiment is over.
  uint64_t nextTime() const;
  void advance();
  /// Everything before `end`, the mesh ahead of the clock: the same results.
  void advanceUntil(uint64_t end);
  TrafficResult result() const;

  FlitMesh &network() { return *mesh; }

private:
  /// What a tile creates does not depend on when its network takes it, so the
  /// next packet is drawn when the one before has been taken: those that wait
  /// in between need no place.
  struct Source {
    std::linear_congruential_engine<uint64_t, 6364136223846793005,
                                    1442695040888963407, 0>
        random;           // its high bits
    uint64_t created = 0; // the packet offered, cycle
  };
  void accepted(uint32_t endpoint, uint64_t time) override;
  void ejected(const Flit &flit, uint64_t time) override;
  void offer(uint32_t tile, uint64_t time);
  void endIfDone();
  uint64_t gap(Source &source) const;
  bool inWindow(uint64_t cycle) const;

  const TrafficCase traffic;
  const uint64_t windowEnd; // cycle
  std::unique_ptr<FlitMesh> mesh;
  std::vector<uint32_t> to;    // by tile; empty = uniform
  std::vector<Source> sources; // by tile
  double logOfSilence;
  uint64_t outstanding = 0; // packets of the window that were drawn
  uint32_t beyond = 0;      // tiles that have drawn all of the window
  bool over = false;
  TrafficResult sums;
  uint64_t finished = 0, latencies = 0, visits = 0, arrivals = 0; // of window
};

TrafficResult measure(const TrafficCase &traffic);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_TARGETS_MESH_NOCEXPERIMENT_H
