// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/systemc/MeshModel.h"

#include "simulator/functional/machine/OnTarget.h"
#include "simulator/timing/systemc/CoreModel.h"
#include "targets/mesh/Routing.h"
#include "targets/support/Time.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dendrolith::sim {

/// The part of the board that messages cross.
static Mesh gridOf(const Chip &chip) {
  std::vector<TileXY> used = {chip.target.mesh.at(kHostTile)};
  for (const Machine::Core &core : chip.machine.cores())
    used.push_back(chip.target.coreXY(core.id));
  return cropped(chip.target.mesh, used);
}

/// The mesh has tiles row by row, whatever chip they belong to.
static std::vector<FlitMesh::Endpoint> endpointsOf(const Chip &chip,
                                                   const Mesh &grid) {
  auto index = [&](uint64_t tile) {
    const TileXY at = chip.target.mesh.at(tile);
    return static_cast<uint32_t>(at.y * grid.tilesX + at.x);
  };
  std::vector<FlitMesh::Endpoint> endpoints;
  for (const Machine::Core &core : chip.machine.cores())
    endpoints.push_back({index(chip.target.tileOf(core.id)),
                         static_cast<uint32_t>(chip.timing.noc.local.buffer)});
  endpoints.push_back({index(kHostTile), CreditBuffer::unlimited});
  return endpoints;
}

MeshModel::MeshModel(const sc_core::sc_module_name &name, Chip &chip,
                     std::exception_ptr &failure)
    : sc_module(name), chip(chip), failure(failure), grid(gridOf(chip)),
      mesh(chip.timing.noc, grid.tilesX, grid.tilesY, endpointsOf(chip, grid),
           *this, grid.chipsX, grid.chipsY),
      shuffle(chip.options.shuffle) {
  for (uint32_t i = 0; i < chip.machine.cores().size(); ++i)
    cores.push_back(std::make_unique<CoreModel>(
        fmt::format("core{}", chip.machine.cores()[i].id).c_str(), i, chip,
        mesh, failure));
  mesh.countHops(chip.shadow);
  host = std::make_unique<HostModel>("host", chip, mesh, failure);
  if (chip.options.shuffle)
    mesh.reorder = [this](std::vector<uint32_t> &batch) {
      std::shuffle(batch.begin(), batch.end(), shuffle);
    };
  SC_METHOD(run);
  sensitive << open;
  dont_initialize();
}

void MeshModel::run() {
  guard(failure, [&] {
    if (!chip.shadow)
      mesh.advanceUntil(never);
    while (mesh.nextTime() <= now())
      mesh.advance();
    if (mesh.idle())
      return quiet.notify(sc_core::SC_ZERO_TIME);
    if (mesh.nextTime() == never)
      failStuck();
    next_trigger(picoseconds(mesh.nextTime() - now()));
  });
}

void MeshModel::failStuck() const {
  throw Error(fmt::format(
      "deadlock in step {} of sample {}: {}; nothing is left that could "
      "free a slot",
      chip.step, chip.sample,
      mesh.whatWaits([&](uint32_t e) { return chip.nameOf(e); })));
}

void MeshModel::accepted(uint32_t endpoint, uint64_t time) {
  MessageStream &stream = chip.streams[endpoint];
  if (chip.activity.timeline.wanted())
    chip.activity.timeline.handsOver(stream, chip.machine);
  uint64_t since = stream.accepted(time, mesh);
  if (since != time && endpoint != chip.host())
    chip.activity.stalled(endpoint, since, time,
                          std::max(since, mesh.portFreeFrom()));
  if (stream.done())
    chip.finished(stream);
}

void MeshModel::ejected(const Flit &flit, uint64_t time) {
  chip.activity.ejected(flit.source, flit.destination, time);
  if (chip.shadow)
    count(flit);
  const uint32_t core = flit.destination;
  TimelineRecorder &timeline = chip.activity.timeline;
  if (core == chip.host())
    return;
  const bool told = timeline.wanted() && flit.rest == 0;
  const uint64_t synops = told ? timeline.arrived(flit.source, core) : 0;
  // Only the last flit of a message is served; those before it leave the queue
  // at its head.
  uint64_t service = flit.rest ? 0 : chip.shadow ? serve(flit) : flit.message;
  if (chip.serial) {
    chip.serial->received(flit.source, core, service);
    if (told)
      timeline.keep(core, synops);
    mesh.release(core, time);
    return;
  }
  uint64_t end = chip.receivers[core].arrive(time, service);
  mesh.release(core, end);
  if (flit.rest == 0)
    chip.activity.received(core, end - service, end);
  if (told && timeline.recording())
    timeline.served(flit.source, core, time, end - service, end, synops);
}

void MeshModel::tellLinks(TimelineRecorder &timeline) {
  std::vector<LinkActivity> all = links();
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> now;
  for (const LinkActivity &link : all)
    now[{link.from, link.to}] = link.flits;
  for (const auto &[ends, flits] : now)
    if (const uint64_t more = flits - carried[ends];
        more && ends.first != ends.second)
      timeline.crossed(ends.first, ends.second, more);
  carried = std::move(now);
}

/// With --verify, accumulates what a message brings, and returns how long that
/// takes.
uint64_t MeshModel::serve(const Flit &flit) {
  const uint32_t core = flit.destination;
  const Axon axon = chip.machine.axons()[axonOf(flit)];
  const MessageStream &stream = chip.streams[flit.source];
  const MessageStream::Burst &burst = stream.burst(flit);
  chip.live->state.accumulators.deliver(axonOf(flit), burst.payload, chip.step);

  CoreCounts &counts = chip.live->counts[core];
  ++counts[Counter::WithinTile];
  ++counts[Counter::AxonReads];
  counts[Counter::SynmemWords] += axon.words;
  counts[synopsOf(axon.kind, false)] += axon.count;
  if (burst.graded)
    counts[synopsOf(axon.kind, true)] += axon.count;
  return Receiver::duration(chip.timings.of(core), axon);
}

/// With --verify, counts the links that a flit has passed.
void MeshModel::count(const Flit &flit) {
  CoreCounts &from = chip.live->counts[flit.source];
  from[Counter::HopsEw] += flit.hops[0];
  from[Counter::HopsNs] += flit.hops[1];
  from[Counter::Crossings] += flit.hops[2];
  if (flit.source == chip.host() || flit.destination == chip.host()) {
    from[Counter::HostHopsEw] += flit.hops[0];
    from[Counter::HostHopsNs] += flit.hops[1];
    from[Counter::HostCrossings] += flit.hops[2];
  }
  if (flit.destination == chip.host())
    from[Counter::Outputs] += flit.rest == 0;
}

Counts MeshModel::counts() const {
  Counts result;
  auto addSent = [&](uint32_t endpoint, CoreCounts &counts) {
    const MessageStream::Sent &sent = chip.streams[endpoint].sent();
    const bool isHost = endpoint == chip.host();
    counts[Counter::Messages] += sent.messages;
    counts[Counter::Flits] += sent.flits;
    counts[Counter::HostMessages] += isHost ? sent.messages : sent.toHost;
    counts[Counter::HostFlits] += isHost ? sent.flits : sent.flitsToHost;
  };
  for (uint32_t i = 0; i < chip.host(); ++i) {
    CoreCounts &of = result.cores[chip.machine.cores()[i].id];
    of = chip.live->counts[i];
    addSent(i, of);
  }
  result.host = chip.live->counts[chip.host()];
  addSent(chip.host(), result.host);
  for (const LinkActivity &link : links())
    if (link.from != link.to)
      result.links.push_back({link.from, link.to, link.flits});
  const Extent extent = extentOf(chip.machine, chip.target);
  result.tiles = extent.tiles;
  result.chips = extent.chips.size();
  return result;
}

std::vector<LinkActivity> MeshModel::links() const {
  std::vector<LinkActivity> result;
  const Mesh &shape = chip.target.mesh;
  auto tileOf = [&](uint32_t index) {
    return static_cast<uint32_t>(
        shape.tileAt({index % grid.tilesX, index / grid.tilesX}));
  };
  for (uint32_t index = 0; index < mesh.numTiles(); ++index)
    for (uint32_t port = FlitMesh::North; port < FlitMesh::NumPorts; ++port) {
      const FlitMesh::Link &link = mesh.link(index, FlitMesh::Port(port));
      if (link.flits)
        result.push_back(
            {tileOf(index), tileOf(mesh.neighbour(index, port)), link.flits,
             times(link.flits, mesh.interval(index, FlitMesh::Port(port))),
             link.waited});
    }
  std::sort(result.begin(), result.end(),
            [](const LinkActivity &a, const LinkActivity &b) {
              return std::pair(a.from, a.to) < std::pair(b.from, b.to);
            });
  return result;
}

uint32_t MeshModel::tileOf(uint32_t endpoint) const {
  return chip.tileOf(endpoint);
}

uint32_t MeshModel::lastStop(uint32_t from, uint32_t to) const {
  auto route = routeBetween(chip.target.mesh, tileOf(from), tileOf(to));
  return route.empty() ? tileOf(to) : route.back().first;
}

} // namespace dendrolith::sim
