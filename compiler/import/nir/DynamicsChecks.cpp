// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the importers of other tools would not take: their presets refuse it.

#include "compiler/import/nir/Dynamics.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace dendrolith::nir {
namespace {

constexpr const char *kUnless = "import it without the preset, by single "
                                "options";

bool isFilter(const Node &node) {
  return node.type == Type::CubaLIF || node.type == Type::LI;
}

/// Walks from a node along the edges, or against them, and on through those for
/// which `through` holds; gives for each node whether it was reached.
std::vector<bool> reach(const Graph &graph, unsigned start,
                        const std::function<bool(const Node &)> &through,
                        bool forward = true) {
  std::vector<std::vector<unsigned>> next(graph.nodes.size());
  for (const Edge &edge : graph.edges)
    next[forward ? edge.from : edge.to].push_back(forward ? edge.to
                                                          : edge.from);
  std::vector<bool> seen(graph.nodes.size());
  std::vector<unsigned> open = {start};
  while (!open.empty()) {
    unsigned at = open.back();
    open.pop_back();
    for (unsigned to : next[at])
      if (!seen[to]) {
        seen[to] = true;
        if (through(graph.nodes[to]))
          open.push_back(to);
      }
  }
  return seen;
}

bool hasNoState(const Node &node) { return !isStateful(node.type); }

bool isAny(const Node &) { return true; }

/// Whether the cycles that the edge closes hold one spiking node and no other
/// one with a state.
bool loopsAlone(const Graph &graph, const Edge &edge) {
  std::vector<bool> behind = reach(graph, edge.to, isAny),
                    before = reach(graph, edge.to, isAny, false);
  unsigned spiking = 0;
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    const Node &node = graph.nodes[i];
    if (!behind[i] || !before[i] || hasNoState(node))
      continue;
    if (!node.field("v_threshold"))
      return false;
    ++spiking;
  }
  return spiking == 1;
}

} // namespace

bool feedsItself(const Graph &graph, const Node &node) {
  auto index = unsigned(&node - graph.nodes.data());
  return reach(graph, index, hasNoState)[index];
}

void checkLoops(const Graph &graph, const NirOptions &options) {
  for (const Edge &edge : graph.edges) {
    if (!edge.cut)
      continue;
    const Node &node = graph.nodes[edge.to];
    std::string from = quotedName(graph.nodes[edge.from].name);
    if (options.needsNoLoop)
      graph.refuse(
          node,
          "an edge from {} closes a cycle, and --import preset={} knows no "
          "recurrence; import it without the preset",
          from, options.preset);
    if (options.needsOwnLoops && !loopsAlone(graph, edge))
      graph.refuse(node,
                   "an edge from {} closes a cycle that is no loop of one "
                   "spiking node through dense ones, the only one that "
                   "--import preset={} knows; {}",
                   from, options.preset, kUnless);
    if (options.needsFilteredLoops && !isFilter(node) &&
        reach(graph, edge.to,
              [](const Node &next) { return !isFilter(next); })[edge.to])
      graph.refuse(
          node,
          "an edge from {} closes a cycle without CubaLIF or LI, "
          "whose value --import preset={} would need in the same step; {}",
          from, options.preset, kUnless);
  }
}

void checkNode(const Graph &graph, const Node &node,
               const NirOptions &options) {
  auto all = [&](const char *key, double expected) {
    std::vector<double> values = perNeuron(node, key, expected);
    return std::all_of(values.begin(), values.end(),
                       [&](double value) { return value == expected; });
  };
  for (const char *key : {"tau", "tau_mem", "tau_syn"})
    for (const double tau : perNeuron(node, key, 1))
      if (!options.clampsDecay && !(std::isfinite(tau) && tau > 0))
        graph.refuse(node,
                     "{} is {}: a decay factor (beta, alpha) of 1 or beyond, "
                     "which snnTorch and Spyx write so and hold in 0 to 1; "
                     "give --import from=snntorch or from=spyx if one of them "
                     "did, else correct it",
                     key, tau);
  if (options.needsNoLeak && !all("v_leak", 0))
    graph.refuse(
        node, "v_leak is not 0, which --import preset={} takes for granted; {}",
        options.preset, kUnless);
  // Nengo's CubaLIF has a gain, into which r goes.
  if (((options.needsUnitR && node.type != Type::CubaLIF) ||
       (options.needsUnitROfLi && node.type == Type::LI)) &&
      !all("r", 1))
    graph.refuse(node,
                 "r is not 1, which --import preset={} takes for granted; {}",
                 options.preset, kUnless);
  bool isIf = node.type == Type::I || node.type == Type::IF;
  if (isIf && options.ifConvention == IfConvention::Leaky && !all("r", 1))
    graph.refuse(node,
                 "r is not 1, which --import if-convention=leaky takes for "
                 "granted; choose another");
}

} // namespace dendrolith::nir
