// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/explain/Hotspots.h"
#include "compiler/mapping/result/Mapping.h"

#include "compiler/mapping/objective/LoudSources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith {

namespace {

constexpr size_t kHotspots = 5;

// From this share on a source is named.
constexpr double kLoud = 0.5;

/// ", 70 % for neuron 3 of 'a'", with the neuron's number in the model.
std::string loudName(const PlacedSlices &on, const LoudSource &loud,
                     const char *what) {
  if (loud.share < kLoud)
    return "";
  std::string name;
  if (loud.fromInput) {
    name = fmt::format("element {} of input '{}'", loud.element,
                       on.network.inputs[loud.index].name);
  } else {
    const MapPopulation &of = on.network.populations[loud.index];
    const uint32_t at = loud.element / of.sources;
    const bool moved =
        loud.index < on.order.size() && !on.order[loud.index].empty();
    name = fmt::format("neuron {} of '{}'",
                       moved ? on.order[loud.index][at] : at, of.name);
  }
  return fmt::format("; {:.0f} % of {} from {}", loud.share * 100, what, name);
}

void addCores(const PlacedSlices &on, const std::vector<CoreLoad> &loads,
              const std::vector<LoudSource> &loud,
              std::vector<Hotspot> &spots) {
  for (size_t i = 0; i < loads.size(); ++i) {
    const CoreLoad &load = loads[i];
    std::map<uint32_t, uint64_t> held; // neurons by population
    for (const Slice &slice : on.slices)
      if (slice.core == load.core)
        held[slice.population] += slice.count;
    std::string who;
    for (auto [p, count] : held)
      if (who.size() < 60)
        who += fmt::format("{}{} of '{}'", who.empty() ? "" : ", ", count,
                           on.network.populations[p].name);
    Hotspot spot;
    spot.where = fmt::format("core {}", load.core);
    spot.stepNs = load.closesPs / 1000;
    spot.cause = fmt::format(
        "{:.3f} us of updates, {:.3f} us of serving messages, last in {:.0f} "
        "% of the steps: {}{}",
        load.updatePs / 1e6, load.receivePs / 1e6, load.closing * 100, who,
        loudName(on, loud[i], "the serving is for messages"));
    spots.push_back(std::move(spot));
  }
}

/// The populations that load a link most.
std::string flowsOver(const PlacedSlices &on, const MeshLink &wanted) {
  std::map<std::pair<std::string, std::string>, double> flows;
  auto nameOf = [&](uint32_t slice) {
    return slice == host
               ? std::string("the host")
               : "'" +
                     on.network.populations[on.slices[slice].population].name +
                     "'";
  };
  auto tileOf = [&](uint32_t slice) {
    return slice == host ? kHostTile : on.target.tileOf(on.cores[slice]);
  };
  for (const StepGraph::Flow &flow : on.graph.flows) {
    bool over = false;
    forEachLink(on.target.mesh, tileOf(flow.from), tileOf(flow.to),
                [&](MeshLink link) {
                  over |= link.from == wanted.from &&
                          link.direction == wanted.direction;
                });
    if (!over)
      continue;
    double messages = 0;
    for (uint32_t s = 0; s < on.graph.steps; ++s)
      messages += double(on.graph.messages[flow.at + s]) / on.graph.steps;
    flows[{nameOf(flow.from), nameOf(flow.to)}] += messages;
  }
  std::vector<std::pair<double, std::string>> most;
  for (const auto &[ends, messages] : flows)
    most.push_back({messages, ends.first + " to " + ends.second});
  std::stable_sort(most.begin(), most.end(), [](const auto &a, const auto &b) {
    return a.first > b.first;
  });
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(most.size(), 3); ++i)
    text += fmt::format("{}{} {:.1f}", i ? ", " : "", most[i].second,
                        most[i].first);
  return text;
}

void addLinks(const PlacedSlices &on, const std::vector<LinkLoad> &links,
              const std::vector<LoudSource> &loud,
              std::vector<Hotspot> &spots) {
  static const char *const names[] = {"east", "west", "north", "south"};
  const NocTiming &noc = on.model.timing.noc;
  const PortTiming *ports[] = {&noc.east, &noc.west, &noc.north, &noc.south};
  for (size_t i = 0; i < links.size(); ++i) {
    const LinkLoad &load = links[i];
    const Mesh &mesh = on.target.mesh;
    const bool leaves =
        leavesChip(mesh, mesh.at(load.link.from), load.link.direction);
    const PortTiming &port =
        leaves ? noc.crossing : *ports[size_t(load.link.direction)];
    Hotspot spot;
    spot.where = fmt::format("link {} of tile {}{}",
                             names[size_t(load.link.direction)], load.link.from,
                             leaves ? fmt::format(", chip {} to {}",
                                                  mesh.chipOf(load.link.from),
                                                  mesh.chipOf(load.link.to))
                                    : "");
    spot.stepNs = load.messages * double(port.interval) / 1000;
    spot.cause =
        fmt::format("{:.1f} messages: {}{}", load.messages,
                    flowsOver(on, load.link), loudName(on, loud[i], "them"));
    spots.push_back(std::move(spot));
  }
}

} // namespace

std::vector<Hotspot> hotspots(const PlacedSlices &on, Loads loads) {
  std::stable_sort(loads.cores.begin(), loads.cores.end(),
                   [](const CoreLoad &a, const CoreLoad &b) {
                     return a.closesPs > b.closesPs;
                   });
  std::stable_sort(loads.links.begin(), loads.links.end(),
                   [](const LinkLoad &a, const LinkLoad &b) {
                     return a.messages > b.messages;
                   });
  loads.cores.resize(std::min(loads.cores.size(), kHotspots));
  loads.links.resize(std::min(loads.links.size(), kHotspots));
  std::vector<uint32_t> cores;
  for (const CoreLoad &load : loads.cores)
    cores.push_back(load.core);
  std::vector<MeshLink> links;
  for (const LinkLoad &load : loads.links)
    links.push_back(load.link);
  const LoudSources loud =
      loudSources(on.network, on.target, on.model,
                  cutsOf(on.network, on.slices).starts, on.cores, cores, links);
  std::vector<Hotspot> spots;
  addCores(on, loads.cores, loud.cores, spots);
  addLinks(on, loads.links, loud.links, spots);
  return spots;
}

} // namespace dendrolith
