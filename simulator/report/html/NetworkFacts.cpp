// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/NetworkFacts.h"

#include "simulator/report/text/PartTables.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostStates = 64; ///< that are drawn as a tree

NetworkFacts::Node nodeOf(const Json &row) {
  NetworkFacts::Node node;
  node.name = row.at("name");
  node.isInput = row.at("kind") == "input";
  node.neurons = row.at("neurons");
  node.shape = row.at("shape").get<std::vector<uint64_t>>();
  if (!row.at("model").is_null())
    node.model = row.at("model");
  for (const Json &output : row.at("outputs"))
    node.outputs +=
        (node.outputs.empty() ? "" : ", ") + output.get<std::string>();
  std::map<std::string, size_t> places;
  for (const Json &state : row.at("states")) {
    places[state.at("name")] = node.branches.size();
    NetworkFacts::Branch branch{
        state.at("name"),
        std::max(state.at("elements").get<uint64_t>(), uint64_t(1)),
        state.at("form") == "chain",
        {},
        ""};
    if (const Json &range = state.at("neurons"); !range.is_null())
      branch.neurons = fmt::format("{} to {}", range.at(0).get<uint64_t>(),
                                   range.at(1).get<uint64_t>() - 1);
    node.branches.push_back(std::move(branch));
  }
  size_t own = 0;
  for (const Json &state : row.at("states")) {
    if (!state.at("into").is_null())
      node.branches[places.at(state.at("into"))].children.push_back(own);
    else if (state.at("fires") == true)
      node.roots.push_back(own);
    ++own;
  }
  if (node.branches.size() > kMostStates)
    node.roots.clear(); // the table names them
  return node;
}

/// An image alone has layers with branches, and no delays.
NetworkFacts::Node nodeOfLayer(const Json &row) {
  NetworkFacts::Node node;
  node.name = row.at("population");
  node.isInput = row.at("kind") == "input";
  node.neurons = row.at("neurons");
  node.shape = {node.neurons};
  for (const Json &branch : row.at("branches")) {
    node.roots.push_back(node.branches.size());
    node.branches.push_back(
        {"branch",
         std::max(branch.at("modes").get<uint64_t>(), uint64_t(1)),
         true,
         {},
         ""});
  }
  return node;
}

} // namespace

std::string counted(uint64_t count, const char *noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

NetworkFacts::NetworkFacts(const NetworkView &view) {
  std::map<std::string, size_t> places;
  auto add = [&](Node node) {
    if (places.emplace(node.name, nodes.size()).second)
      nodes.push_back(std::move(node));
  };
  auto connect = [&](const std::string &from, const std::string &to,
                     Edge edge) {
    if (!places.count(from) || !places.count(to))
      return;
    edge.from = places.at(from);
    edge.to = places.at(to);
    edges.push_back(std::move(edge));
  };
  const Json layers =
      view.result.is_null() ? Json() : view.result.value("layers", Json());
  if (!view.network.is_null()) {
    for (const Json &row : view.network.at("nodes"))
      add(nodeOf(row));
    for (const Json &row : view.network.at("edges")) {
      Edge edge;
      edge.kind = row.at("kind");
      edge.port = row.at("port");
      edge.synapses = row.at("synapses");
      edge.delay = row.at("delay_ticks").get<uint64_t>();
      connect(row.at("from"), row.at("to"), std::move(edge));
    }
  } else if (!layers.is_null()) {
    for (const char *kind : {"input", "population"})
      for (const Json &row : layers)
        if (row.at("kind") == kind)
          add(nodeOfLayer(row));
    for (const Json &row : layers)
      for (const Json &source : row.at("sources")) {
        const std::string name = source.at("name");
        if (!places.count(name)) { // an input of an image that was not run
          Node input;
          input.name = name;
          input.isInput = true;
          add(std::move(input));
        }
        Edge edge;
        edge.synapses = source.at("synapses");
        connect(name, row.at("population"), std::move(edge));
      }
  }
  if (view.result.is_null())
    return;
  const Json each = view.result.value("samples", Json());
  const double samples = each.is_number() ? each.get<double>() : 0;
  auto energy = [&](const Json &row, auto &into) {
    const Json band = row.value("energy_pJ", Json());
    if (band.is_null() || samples == 0)
      return;
    into.low = band.at("low").get<double>() / samples;
    into.high = band.at("high").get<double>() / samples;
  };
  if (!layers.is_null())
    for (const Json &row : layers)
      if (auto at = places.find(row.at("population")); at != places.end())
        energy(row, nodes[at->second]);
  if (const Json values = view.result.value("spike_values", Json());
      values.is_object())
    for (const auto &item : values.items()) {
      const double all = double(sumOf(item.value()));
      const auto at = places.find(item.key());
      if (at != places.end() && all > 0)
        nodes[at->second].rate = 1 - item.value().value("0", 0.0) / all;
    }
  if (const Json mapping = view.result.value("mapping", Json());
      mapping.is_object())
    for (const Json &row : mapping.at("placement"))
      if (auto at = places.find(row.at("population")); at != places.end())
        nodes[at->second].cores.push_back(row.at("core"));
  if (view.flows.is_null() || samples == 0)
    return;
  std::map<std::pair<std::string, std::string>, const Json *> between;
  for (const Json &flow : view.flows)
    if (!flow.at("target").is_null())
      between[{flow.at("source"), flow.at("target")}] = &flow;
  for (Edge &edge : edges) {
    const auto flow =
        between.find({nodes[edge.from].name, nodes[edge.to].name});
    if (flow == between.end())
      continue;
    const Json &counts = flow->second->at("counts");
    edge.messages = double(sumOf(counts.at("messages"))) / samples;
    energy(*flow->second, edge);
  }
}

} // namespace dendrolith::report::html
