// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/targets/mesh/NocExperiment.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dendrolith::test {

static constexpr uint64_t kCycle = 1000; // ps

/// Where each tile sends to; empty where every packet draws its own (any tile,
/// its own included).
static std::vector<uint32_t> destinations(const TrafficCase &traffic) {
  const uint32_t tiles = traffic.width * traffic.height;
  std::vector<uint32_t> to(tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    uint32_t x = tile % traffic.width, y = tile / traffic.width;
    if (traffic.pattern == "bitcomp")
      to[tile] = tiles - 1 - tile;
    else if (traffic.pattern == "transpose")
      to[tile] = x * traffic.height + y; // of the matrix, also if not square
    else if (traffic.pattern == "uniform")
      return {};
    else
      throw Error("traffic pattern '" + traffic.pattern +
                  "' is unknown, expected uniform, bitcomp or transpose");
  }
  return to;
}

double idealSaturation(const TrafficCase &traffic) {
  const uint32_t tiles = traffic.width * traffic.height;
  std::vector<uint32_t> fixed = destinations(traffic);
  std::map<std::pair<uint32_t, uint32_t>, double> loads; // by link
  auto follow = [&](uint32_t from, uint32_t to, double share) {
    const uint32_t w = traffic.width;
    for (uint32_t at = from, next; at != to; at = next) {
      if (at % w != to % w)
        next = at % w < to % w ? at + 1 : at - 1;
      else
        next = at < to ? at + w : at - w;
      loads[{at, next}] += share;
    }
  };
  for (uint32_t from = 0; from < tiles; ++from) {
    if (!fixed.empty())
      follow(from, fixed[from], 1);
    for (uint32_t to = 0; to < tiles && fixed.empty(); ++to)
      follow(from, to, 1.0 / tiles);
  }
  double most = 1;
  for (const auto &[link, load] : loads)
    most = std::max(most, load);
  return 1 / most;
}

static std::vector<FlitMesh::Endpoint> oneEach(uint32_t tiles) {
  std::vector<FlitMesh::Endpoint> endpoints(tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile)
    endpoints[tile].tile = tile;
  return endpoints;
}

NocExperiment::NocExperiment(const TrafficCase &traffic)
    : NocExperiment(traffic, clockedMesh(traffic.buffer)) {}

NocExperiment::NocExperiment(const TrafficCase &traffic,
                             const NocTiming &timing)
    : traffic(traffic), windowEnd(traffic.warmup + traffic.measured),
      to(destinations(traffic)), sources(traffic.width * traffic.height),
      logOfSilence(std::log1p(-traffic.offered)) {
  mesh.reset(new FlitMesh(timing, traffic.width, traffic.height,
                          oneEach(sources.size()), *this));
  std::mt19937_64 seeds(traffic.seed);
  for (uint32_t tile = 0; tile < sources.size(); ++tile) {
    sources[tile].random.seed(seeds());
    sources[tile].created = gap(sources[tile]) - 1;
    offer(tile, 0);
  }
}

NocExperiment::~NocExperiment() = default;

/// Cycles from one packet of a tile to its next: geometric, which is Bernoulli
/// in every cycle.
uint64_t NocExperiment::gap(Source &source) const {
  if (traffic.offered >= 1)
    return 1;
  double u = double((source.random() >> 11) + 1) * 0x1p-53; // in (0, 1]
  return 1 + static_cast<uint64_t>(std::log(u) / logOfSilence);
}

uint64_t NocExperiment::nextTime() const {
  return over ? never : mesh->nextTime();
}

void NocExperiment::advance() {
  mesh->advance();
  endIfDone();
}

void NocExperiment::advanceUntil(uint64_t end) {
  for (uint64_t next; (next = nextTime()) < end; endIfDone()) {
    // The experiment may be over at any time beyond its window.
    const uint64_t until = std::max(windowEnd * kCycle, next + 1);
    mesh->advanceUntil(std::min(end, until));
  }
}

void NocExperiment::endIfDone() {
  const uint64_t next = mesh->nextTime();
  if (next < windowEnd * kCycle)
    return;
  over = beyond == sources.size() && outstanding == 0;
  if (!over && next >= (windowEnd + traffic.patience) * kCycle) {
    sums.stable = false;
    over = true;
  }
}

/// The next packet of a tile, which may leave at `time` if it is there.
void NocExperiment::offer(uint32_t tile, uint64_t time) {
  Source &source = sources[tile];
  outstanding += inWindow(source.created);
  beyond += source.created >= windowEnd;
  Flit flit;
  flit.source = tile;
  flit.destination =
      to.empty() ? ((source.random() >> 32) * sources.size()) >> 32 : to[tile];
  flit.message = source.created;
  mesh->offer(flit, std::max(time, source.created * kCycle));
}

void NocExperiment::accepted(uint32_t tile, uint64_t time) {
  Source &source = sources[tile];
  beyond -= source.created >= windowEnd;
  source.created += gap(source);
  offer(tile, time);
}

void NocExperiment::ejected(const Flit &flit, uint64_t time) {
  ++sums.arrived;
  sums.routerVisits += flit.hops[0] + flit.hops[1] + 1;
  arrivals += inWindow(time / kCycle);
  if (!inWindow(flit.message))
    return;
  --outstanding;
  ++finished;
  uint64_t latency = time / kCycle - flit.message;
  latencies += latency;
  visits += flit.hops[0] + flit.hops[1] + 1;
  sums.most = std::max(sums.most, latency);
}

bool NocExperiment::inWindow(uint64_t at) const {
  return at - traffic.warmup < traffic.measured; // also if it is before
}

TrafficResult NocExperiment::result() const {
  TrafficResult result = sums;
  if (finished) {
    result.latency = double(latencies) / double(finished);
    result.routers = double(visits) / double(finished);
  }
  result.accepted =
      double(arrivals) / double(traffic.measured) / double(sources.size());
  return result;
}

TrafficResult measure(const TrafficCase &traffic) {
  NocExperiment experiment(traffic);
  experiment.advanceUntil(never);
  return experiment.result();
}

} // namespace dendrolith::test
