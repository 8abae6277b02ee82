// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/Replay.h"

#include "compiler/mapping/result/SliceGraph.h"
#include "runtime/host/SpareThreads.h"
#include "targets/mesh/FlitMesh.h"
#include "targets/mesh/Routing.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

namespace dendrolith {

namespace {

/// The cores in use, by id.
std::vector<uint32_t> idsOf(std::vector<uint32_t> cores) {
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  return cores;
}

} // namespace

/// Endpoints of the mesh are the cores in use by id, and behind them the host.
class Replay::Chip final : MeshListener {
public:
  Chip(const std::vector<uint32_t> &coreOf, const Target &target,
       const TimingSet &timing)
      : timing(timing), ids(idsOf(coreOf)), host(uint32_t(ids.size())),
        grid(cropped(target.mesh, placesOf(target))),
        mesh(timing.noc, uint32_t(grid.tilesX), uint32_t(grid.tilesY),
             endpointsOn(target), *this, uint32_t(grid.chipsX),
             uint32_t(grid.chipsY)),
        streams(ids.size() + 1), busyUntil(ids.size()), done(ids.size()) {
    mesh.countHops(false);
    for (uint32_t core : coreOf)
      slices.push_back(uint32_t(std::lower_bound(ids.begin(), ids.end(), core) -
                                ids.begin()));
    if (target.mesh.multicast)
      places = placesOf(target);
  }

  StepEnd run(const ReplayStep &step) {
    readStreams(step, slices, places, streams);
    mesh.restart();
    std::fill(busyUntil.begin(), busyUntil.end(), 0);
    std::fill(done.begin(), done.end(), 0);
    end = {};
    for (uint32_t e = 0; e < streams.size(); ++e)
      goOn(e, 0);
    mesh.advanceUntil(never);
    const auto last = std::max_element(done.begin(), done.end());
    end.core = uint32_t(last - done.begin());
    end.served = done.empty() ? end.arrived : std::max(*last, end.arrived);
    return end;
  }

private:
  /// By endpoint.
  std::vector<TileXY> placesOf(const Target &target) const {
    std::vector<TileXY> found;
    for (uint32_t id : ids)
      found.push_back(target.coreXY(id));
    found.push_back(target.mesh.at(kHostTile));
    return found;
  }

  std::vector<FlitMesh::Endpoint> endpointsOn(const Target &target) const {
    std::vector<FlitMesh::Endpoint> endpoints;
    for (TileXY place : placesOf(target))
      endpoints.push_back({uint32_t(place.y * grid.tilesX + place.x),
                           uint32_t(timing.noc.local.buffer)});
    endpoints.back().slots = CreditBuffer::unlimited;
    return endpoints;
  }

  /// The engine of an endpoint goes on at `now`.
  void goOn(uint32_t e, uint64_t now) {
    SendStream &stream = streams[e];
    const double next = stream.nextAt(double(now));
    if (stream.done()) {
      end.updated = std::max(end.updated, next);
      if (e != host)
        done[e] = std::max(done[e], next);
      return;
    }
    const uint64_t each = e == host ? timing.hostTime() : timing.messageOut;
    const uint64_t when = uint64_t(next) + each;
    const Span<Destination> to = stream.take();
    Flit flit;
    flit.source = e;
    if (to.size() > 1)
      return mesh.offer(flit, to, when);
    flit.destination = to[0].endpoint;
    flit.message = to[0].message;
    mesh.offer(flit, when);
  }

  void accepted(uint32_t endpoint, uint64_t time) override {
    goOn(endpoint, time);
  }

  /// A flit's `message` is how long it is served.
  void ejected(const Flit &flit, uint64_t time) override {
    end.arrived = std::max(end.arrived, double(time));
    const uint32_t core = flit.destination;
    if (core == host)
      return;
    busyUntil[core] = std::max(busyUntil[core], time) + flit.message;
    mesh.release(core, busyUntil[core]);
    done[core] = std::max(done[core], double(busyUntil[core]));
  }

  const TimingSet &timing;
  const std::vector<uint32_t> ids;
  const uint32_t host; // its endpoint
  const Mesh grid;     // the part of the board that is in use
  FlitMesh mesh;
  std::vector<uint32_t> slices;    // the endpoint of each
  std::vector<TileXY> places;      // by endpoint; none without multicast
  std::vector<SendStream> streams; // by endpoint
  std::vector<uint64_t> busyUntil; // of receive engines, by core in use
  std::vector<double> done;        // when each has nothing left to do
  StepEnd end;
};

Replay::Replay(const std::vector<uint32_t> &cores, const Target &target,
               const TimingSet &timing)
    : chip(std::make_unique<Chip>(cores, target, timing)) {}

Replay::~Replay() = default;

StepEnd Replay::run(const ReplayStep &step) { return chip->run(step); }

namespace {

/// Replays that are not in use. There are no more of them than threads have
/// worked at a time.
class IdleReplays {
public:
  IdleReplays(const std::vector<uint32_t> &cores, const Target &target,
              const TimingSet &timing)
      : cores(cores), target(target), timing(timing) {}

  StepEnd run(const ReplayStep &step) {
    std::unique_ptr<Replay> replay = take();
    if (!replay)
      replay = std::make_unique<Replay>(cores, target, timing);
    const StepEnd end = replay->run(step);
    const std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(replay));
    return end;
  }

private:
  std::unique_ptr<Replay> take() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (idle.empty())
      return nullptr;
    std::unique_ptr<Replay> last = std::move(idle.back());
    idle.pop_back();
    return last;
  }

  const std::vector<uint32_t> &cores;
  const Target &target;
  const TimingSet &timing;
  std::mutex mutex;
  std::vector<std::unique_ptr<Replay>> idle;
};

} // namespace

std::vector<StepEnd> replayAll(const std::vector<ReplayStep> &steps,
                               size_t most, const std::vector<uint32_t> &cores,
                               const Target &target, const TimingSet &timing,
                               SpareThreads *threads) {
  std::vector<StepEnd> ends(std::min(most, steps.size()));
  std::vector<size_t> first; // of those that are alike
  for (size_t i = 0; i < ends.size(); ++i)
    if (steps[i].like >= i)
      first.push_back(i);
  IdleReplays replays(cores, target, timing);
  SpareThreads alone(1);
  (threads ? *threads : alone).share(first.size(), [&](size_t k) {
    ends[first[k]] = replays.run(steps[first[k]]);
  });
  for (size_t i = 0; i < ends.size(); ++i)
    if (steps[i].like < i)
      ends[i] = ends[steps[i].like];
  return ends;
}

namespace {

/// Sorts as a mesh with multicast wants it, by x and then by y, and without
/// (places are all 0 then) by endpoint. Keeps the order of equals. Most bursts
/// are short, and std::stable_sort gets itself memory for each.
template <class Iterator> void sortDestinations(Iterator begin, Iterator end) {
  auto isBefore = [](const Destination &a, const Destination &b) {
    return std::tie(a.x, a.y, a.endpoint) < std::tie(b.x, b.y, b.endpoint);
  };
  constexpr std::ptrdiff_t kShort = 32;
  if (end - begin > kShort)
    return std::stable_sort(begin, end, isBefore);
  for (Iterator next = begin; next != end; ++next)
    std::rotate(std::upper_bound(begin, next, *next, isBefore), next, next + 1);
}

} // namespace

void readStreams(const ReplayStep &step, const std::vector<uint32_t> &slices,
                 const std::vector<TileXY> &places,
                 std::vector<SendStream> &streams) {
  const auto hostEnd = uint32_t(streams.size() - 1);
  for (SendStream &stream : streams) {
    stream.bursts.clear();
    stream.messages.clear();
    stream.tail = 0;
    stream.burst = stream.message = 0;
  }
  uint32_t slice = 0, message = 0;
  auto passTo = [&](uint32_t next) {
    for (; slice < next; ++slice)
      streams[slices[slice]].tail += double(step.tail[slice]);
  };
  for (const ReplayStep::Burst &burst : step.bursts) {
    if (burst.from != host)
      passTo(burst.from);
    SendStream &from =
        streams[burst.from == host ? hostEnd : slices[burst.from]];
    const auto first = std::ptrdiff_t(from.messages.size());
    bool toCores = true;
    for (; message < burst.end; ++message) {
      const ReplayStep::Message &sent = step.messages[message];
      toCores &= sent.to != host;
      Destination to;
      to.endpoint = sent.to == host ? hostEnd : slices[sent.to];
      to.message = uint64_t(sent.service);
      if (!places.empty()) {
        to.x = uint16_t(places[to.endpoint].x);
        to.y = uint16_t(places[to.endpoint].y);
      }
      from.messages.push_back(to);
    }
    sortDestinations(from.messages.begin() + first, from.messages.end());
    from.bursts.push_back({std::exchange(from.tail, 0) + double(burst.work),
                           from.messages.size(), toCores && !places.empty()});
  }
  passTo(uint32_t(slices.size()));
}

} // namespace dendrolith
