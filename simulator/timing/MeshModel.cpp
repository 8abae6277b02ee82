// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/MeshModel.h"

#include "simulator/events/Mesh.h"
#include "simulator/timing/Process.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite::sim {

static std::vector<Mesh::Endpoint> endpointsOf(const Chip &chip) {
  std::vector<Mesh::Endpoint> endpoints;
  for (const Machine::Core &core : chip.machine.cores())
    endpoints.push_back({static_cast<uint32_t>(chip.target.tileOf(core.id)),
                         static_cast<uint32_t>(chip.timing.noc.local.buffer)});
  endpoints.push_back(
      {static_cast<uint32_t>(hostTile(chip.target)), Credits::unlimited});
  return endpoints;
}

MeshModel::MeshModel(const sc_core::sc_module_name &name, Chip &chip,
                     std::exception_ptr &failure)
    : sc_module(name), chip(chip), failure(failure),
      mesh(chip.timing.noc, chip.target.mesh.tilesX, chip.target.mesh.tilesY,
           endpointsOf(chip), *this) {
  for (uint32_t i = 0; i < chip.machine.cores().size(); ++i)
    cores.push_back(std::make_unique<CoreModel>(
        fmt::format("core{}", chip.machine.cores()[i].id).c_str(), i, chip,
        mesh, failure));
  host = std::make_unique<HostModel>("host", chip, mesh, failure);
  SC_METHOD(run);
  sensitive << open;
  dont_initialize();
}

void MeshModel::run() {
  guard(failure, [&] {
    while (mesh.nextTime() <= now())
      mesh.advance();
    if (mesh.idle())
      return quiet.notify(sc_core::SC_ZERO_TIME);
    if (mesh.nextTime() == never)
      throw Error(fmt::format(
          "deadlock in step {} of sample {}: {}; nothing is left that could "
          "free a slot",
          chip.step, chip.sample,
          mesh.whatWaits([&](uint32_t e) { return chip.nameOf(e); })));
    next_trigger(picoseconds(mesh.nextTime() - now()));
  });
}

const MessageStream &MeshModel::streamOf(uint32_t endpoint) const {
  return endpoint == chip.host() ? host->stream : cores[endpoint]->stream;
}

void MeshModel::accepted(uint32_t endpoint, uint64_t time) {
  if (endpoint == chip.host())
    host->stream.accepted(time, mesh);
  else
    cores[endpoint]->accepted(time);
}

void MeshModel::ejected(const Flit &flit, uint64_t time) {
  chip.lastEjection = std::max(chip.lastEjection, time);
  CoreCounts &from = chip.counts[flit.source];
  from[Counter::HopsEw] += flit.hopsEw;
  from[Counter::HopsNs] += flit.hopsNs;
  if (flit.source == chip.host() || flit.destination == chip.host()) {
    from[Counter::HostHopsEw] += flit.hopsEw;
    from[Counter::HostHopsNs] += flit.hopsNs;
  }
  if (flit.destination == chip.host())
    from[Counter::Outputs] += flit.rest == 0;
  else
    cores[flit.destination]->ejected(
        flit, streamOf(flit.source).burst(burstOf(flit)), time);
}

Counts MeshModel::counts() const {
  Counts result;
  auto complete = [&](uint32_t endpoint) {
    CoreCounts counts = chip.counts[endpoint];
    const MessageStream::Sent &sent = streamOf(endpoint).sent();
    bool isHost = endpoint == chip.host();
    counts[Counter::Messages] = sent.messages;
    counts[Counter::Flits] = sent.flits;
    counts[Counter::HostMessages] = isHost ? sent.messages : sent.toHost;
    counts[Counter::HostFlits] = isHost ? sent.flits : sent.flitsToHost;
    counts[Counter::Stalls] = sent.stalled;
    return counts;
  };
  for (uint32_t i = 0; i < chip.host(); ++i)
    result.cores[chip.machine.cores()[i].id] = complete(i);
  result.host = complete(chip.host());
  for (uint32_t tile = 0; tile < mesh.numTiles(); ++tile)
    for (uint32_t port = Mesh::North; port < Mesh::Local; ++port)
      if (uint64_t flits = mesh.link(tile, Mesh::Port(port)).flits)
        result.links.push_back({tile, mesh.neighbour(tile, port), flits});
  std::sort(result.links.begin(), result.links.end(),
            [](const LinkCount &a, const LinkCount &b) {
              return std::pair(a.from, a.to) < std::pair(b.from, b.to);
            });
  result.tiles = usedTiles(chip.machine, chip.target);
  return result;
}

} // namespace neurite::sim
