// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NIR graphs may have cycles and say nothing of their order in a step. The rule
// here looks at the structure alone, never at names or at the order of a file.
// A loop waits where one of its Delay nodes holds every value for a tick or
// more. In any other loop the edges wait that return to the population that the
// inputs reach first: past the fewest ticks of Delay nodes, then past the
// fewest populations. Of several that are reached as soon, it is the one
// farthest from the outputs, and all of them where those are as far.

#include "compiler/import/nir/Graph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <queue>
#include <tuple>

namespace dendrolith::nir {
namespace {

/// What lies between two nodes: ticks of Delay nodes, populations.
using Way = std::pair<uint64_t, uint64_t>;
constexpr Way kNoWay = {~uint64_t(0), ~uint64_t(0)};

class LoopCutter {
public:
  LoopCutter(Graph &graph, const std::vector<int64_t> &held)
      : graph(graph), held(held), in(graph.nodes.size()) {
    for (unsigned e = 0; e < graph.edges.size(); ++e)
      in[graph.edges[e].to].push_back(e);
  }

  std::vector<unsigned> run() {
    refuseStatelessCycles();
    fromInputs = ways(true);
    toOutputs = ways(false);
    while (cutOutermost()) {
    }
    return ambiguous;
  }

private:
  using Members = std::vector<std::vector<unsigned>>;

  /// Carries a value of this step.
  bool isLive(const Edge &edge) const {
    return !edge.cut && (held.empty() || held[edge.from] == 0);
  }
  /// Hands on in this step what comes in.
  bool isWire(unsigned node) const {
    return !isPopulation(graph.nodes[node].type);
  }
  bool isInside(const Edge &edge) const {
    return isLive(edge) && component[edge.from] == component[edge.to];
  }

  void refuseStatelessCycles();
  std::vector<Way> ways(bool forward) const;
  template <typename Takes> Members loops(Takes takes);
  std::vector<unsigned> headsOf(const std::vector<unsigned> &members) const;
  void findEntered();
  void cutInto(unsigned node);
  void cut(unsigned edge);
  bool cutOutermost();

  Graph &graph;
  const std::vector<int64_t> &held;      // least ticks, by node; or empty
  std::vector<std::vector<unsigned>> in; // edges, by node
  std::vector<Way> fromInputs, toOutputs;
  std::vector<int> component;
  // Wires of a loop that values from outside it reach, too.
  std::vector<bool> entered;
  std::vector<bool> walked;
  bool isAmbiguous = false;
  std::vector<unsigned> ambiguous;
};

/// The nodes of each component that has a cycle of edges that `takes` takes.
template <typename Takes> LoopCutter::Members LoopCutter::loops(Takes takes) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> arrows(
      graph.nodes.size());
  for (const Edge &edge : graph.edges)
    if (takes(edge))
      boost::add_edge(edge.from, edge.to, arrows);
  component.resize(graph.nodes.size());
  unsigned count = boost::strong_components(arrows, component.data());
  std::vector<bool> isLoop(count);
  for (const Edge &edge : graph.edges)
    if (takes(edge) && component[edge.from] == component[edge.to])
      isLoop[component[edge.from]] = true;
  Members members(count);
  for (unsigned i = 0; i < graph.nodes.size(); ++i)
    if (isLoop[component[i]])
      members[component[i]].push_back(i);
  members.erase(std::remove_if(members.begin(), members.end(),
                               [](const auto &one) { return one.empty(); }),
                members.end());
  return members;
}

void LoopCutter::refuseStatelessCycles() {
  auto hasState = [&](unsigned node) {
    return isStateful(graph.nodes[node].type);
  };
  Members found = loops([&](const Edge &edge) {
    return !hasState(edge.from) && !hasState(edge.to);
  });
  if (found.empty())
    return;
  unsigned lowest = ~0u;
  for (const auto &members : found)
    lowest = std::min(lowest, members.front());
  graph.refuse(graph.nodes[lowest],
               "it lies on a cycle without a stateful node, so its value "
               "would depend on itself in the same step; put a neuron or a "
               "Delay node on the cycle");
}

/// The least way from an input, or from a node that nothing feeds; or back from
/// an output.
std::vector<Way> LoopCutter::ways(bool forward) const {
  std::vector<std::vector<unsigned>> next(graph.nodes.size());
  for (const Edge &edge : graph.edges)
    next[forward ? edge.from : edge.to].push_back(forward ? edge.to
                                                          : edge.from);
  std::vector<Way> way(graph.nodes.size(), kNoWay);
  using Reached = std::pair<Way, unsigned>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    const Node &node = graph.nodes[i];
    bool isEnd =
        forward ? in[i].empty() : node.type == Type::Output && !node.wire;
    if (isEnd)
      open.push({way[i] = {0, 0}, i});
  }
  while (!open.empty()) {
    auto [at, node] = open.top();
    open.pop();
    if (at != way[node])
      continue;
    Way past = {at.first + (held.empty() ? 0 : uint64_t(held[node])),
                at.second + !isWire(node)};
    for (unsigned to : next[node])
      if (past < way[to])
        open.push({way[to] = past, to});
  }
  return way;
}

/// The populations of a loop to which its edges wait. A loop of linear nodes
/// and Delay nodes alone has none; wire() refuses it.
std::vector<unsigned>
LoopCutter::headsOf(const std::vector<unsigned> &members) const {
  auto rank = [&](unsigned node) {
    Type type = graph.nodes[node].type;
    const Way &left = toOutputs[node];
    return std::make_tuple(isPopulation(type) ? 0
                           : isStateful(type) ? 1
                                              : 2,
                           fromInputs[node], Way{~left.first, ~left.second});
  };
  std::vector<unsigned> heads;
  for (unsigned node : members) {
    if (!heads.empty() && rank(node) < rank(heads.front()))
      heads.clear();
    if (heads.empty() || rank(node) == rank(heads.front()))
      heads.push_back(node);
  }
  return heads;
}

void LoopCutter::findEntered() {
  std::vector<std::vector<unsigned>> out(graph.nodes.size());
  entered.assign(graph.nodes.size(), false);
  std::vector<unsigned> open;
  for (const Edge &edge : graph.edges) {
    if (!isWire(edge.to))
      continue;
    if (isInside(edge)) {
      if (isWire(edge.from))
        out[edge.from].push_back(edge.to);
    } else if (!entered[edge.to]) {
      entered[edge.to] = true;
      open.push_back(edge.to);
    }
  }
  while (!open.empty()) {
    unsigned node = open.back();
    open.pop_back();
    for (unsigned to : out[node])
      if (!entered[to]) {
        entered[to] = true;
        open.push_back(to);
      }
  }
}

void LoopCutter::cut(unsigned edge) {
  graph.edges[edge].cut = true;
  if (isAmbiguous)
    ambiguous.push_back(edge);
}

/// Cuts what returns to a population. Where a linear node before it adds what
/// comes from outside the loop, the edge into that one is cut, so that only the
/// loop waits.
void LoopCutter::cutInto(unsigned start) {
  std::vector<unsigned> open = {start};
  while (!open.empty()) {
    unsigned node = open.back();
    open.pop_back();
    for (unsigned e : in[node]) {
      const Edge &edge = graph.edges[e];
      if (!isInside(edge))
        continue;
      if (isWire(start) || !isWire(edge.from) || !entered[edge.from]) {
        cut(e);
      } else if (!walked[edge.from]) {
        walked[edge.from] = true;
        open.push_back(edge.from);
      }
    }
  }
}

/// Cuts the outermost loops of what is live. True if there was one.
bool LoopCutter::cutOutermost() {
  Members found = loops([&](const Edge &edge) { return isLive(edge); });
  findEntered();
  walked.assign(graph.nodes.size(), false);
  for (const auto &members : found) {
    auto populations = std::count_if(members.begin(), members.end(),
                                     [&](unsigned i) { return !isWire(i); });
    isAmbiguous = populations > 1;
    for (unsigned head : headsOf(members))
      cutInto(head);
  }
  return !found.empty();
}

} // namespace

std::vector<unsigned> cutCycles(Graph &graph,
                                const std::vector<int64_t> &held) {
  for (Edge &edge : graph.edges)
    edge.cut = false;
  return LoopCutter(graph, held).run();
}

} // namespace dendrolith::nir
