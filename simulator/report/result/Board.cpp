// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Board.h"

#include "targets/mesh/Routing.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

namespace {

/// All links in one direction between two chips.
struct Edge {
  uint64_t flits = 0, links = 0;
  uint64_t most = 0;             // flits of the link that had most
  uint64_t busy = 0, waited = 0; // ps, of the busiest link; of all
};

std::map<std::pair<uint64_t, uint64_t>, Edge>
edgesOf(const Mesh &mesh, const sim::RunResult &run) {
  std::map<std::pair<uint64_t, uint64_t>, Edge> edges;
  for (const sim::LinkCount &link : run.counts.links) {
    const uint64_t from = mesh.chipOf(link.from), to = mesh.chipOf(link.to);
    if (from == to)
      continue;
    Edge &edge = edges[{from, to}];
    edge.flits += link.flits;
    edge.most = std::max(edge.most, link.flits);
    ++edge.links;
  }
  for (const sim::LinkActivity &link : run.linkActivity) {
    const auto edge =
        edges.find({mesh.chipOf(link.from), mesh.chipOf(link.to)});
    if (edge == edges.end())
      continue;
    edge->second.busy = std::max(edge->second.busy, link.busy);
    edge->second.waited += link.waited;
  }
  return edges;
}

} // namespace

void addBoard(Json &result, const Target &target, const TimingSet &timing,
              const sim::RunResult &run) {
  const Mesh &mesh = target.mesh;
  if (mesh.chips() == 1)
    return;
  std::set<uint64_t> tiles;
  std::map<uint64_t, uint64_t> cores; // by chip
  for (const auto &[core, counts] : run.counts.cores) {
    tiles.insert(target.tileOf(core));
    ++cores[mesh.chipOf(target.tileOf(core))];
  }
  Json &board = result["board"];
  board = {{"chips_x", mesh.chipsX},
           {"chips_y", mesh.chipsY},
           {"link_ps", timing.noc.crossing.forward},
           {"interval_ps", timing.noc.crossing.interval},
           {"barrier_ps",
            timing.barrierTime(0, run.counts.chips) - timing.barrierTime(0, 1)},
           {"chips", Json::array()},
           {"edges", Json::array()}};
  for (uint64_t chip : extentOf(mesh, tiles).chips)
    board["chips"].push_back({{"chip", chip},
                              {"x", chip % mesh.chipsX},
                              {"y", chip / mesh.chipsX},
                              {"cores", cores[chip]}});
  const bool timed = !run.stepTimes.empty() && run.timePs;
  for (const auto &[between, edge] : edgesOf(mesh, run)) {
    board["edges"].push_back({{"from", between.first},
                              {"to", between.second},
                              {"links", edge.links},
                              {"flits", edge.flits},
                              {"busiest_link_flits", edge.most},
                              {"busiest_link_share", nullptr},
                              {"waited_ps", nullptr}});
    if (!timed)
      continue;
    board["edges"].back()["busiest_link_share"] =
        double(edge.busy) / double(run.timePs);
    board["edges"].back()["waited_ps"] = edge.waited;
  }
}

} // namespace dendrolith::report
