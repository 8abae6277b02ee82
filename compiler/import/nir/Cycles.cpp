// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NIR graphs may have cycles and say nothing of their order in a step. The rule
// here is that of the reference executor: nodes are taken in topological
// order; where only cycles are left, the first stateful node (in file order)
// whose other inputs are settled is freed, and the edges that reach it from
// within its own cycles read the previous step.

#include "compiler/import/nir/Graph.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <deque>

namespace dendrolith::nir {

static std::vector<int> components(const Graph &graph) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> arrows(
      graph.nodes.size());
  for (const Edge &edge : graph.edges)
    boost::add_edge(edge.from, edge.to, arrows);
  std::vector<int> component(graph.nodes.size());
  boost::strong_components(arrows, component.data());
  return component;
}

void cutCycles(Graph &graph) {
  size_t count = graph.nodes.size();
  std::vector<int> component = components(graph);
  std::vector<std::vector<unsigned>> in(count), out(count);
  std::vector<unsigned> unmet(count, 0);
  std::vector<bool> onCycle(count, false), done(count, false);
  std::vector<bool> hasState(count, false); // by component
  for (unsigned e = 0; e < graph.edges.size(); ++e) {
    const Edge &edge = graph.edges[e];
    in[edge.to].push_back(e);
    out[edge.from].push_back(e);
    ++unmet[edge.to];
    if (component[edge.from] == component[edge.to])
      onCycle[edge.from] = onCycle[edge.to] = true;
  }
  std::deque<unsigned> ready;
  for (unsigned i = 0; i < count; ++i) {
    if (isStateful(graph.nodes[i].type))
      hasState[component[i]] = true;
    if (unmet[i] == 0)
      ready.push_back(i);
  }
  for (size_t settled = 0; settled < count;) {
    if (!ready.empty()) {
      unsigned node = ready.front();
      ready.pop_front();
      done[node] = true;
      ++settled;
      for (unsigned e : out[node])
        if (!graph.edges[e].cut && --unmet[graph.edges[e].to] == 0)
          ready.push_back(graph.edges[e].to);
      continue;
    }
    // Only cycles and what hangs on them are left.
    unsigned best = count, fewest = ~0u, stateless = count;
    for (unsigned i = 0; i < count; ++i) {
      if (done[i] || !onCycle[i])
        continue;
      if (stateless == count && !isStateful(graph.nodes[i].type))
        stateless = i;
      else if (!hasState[component[i]] && hasState[component[stateless]])
        stateless = i;
      unsigned outside = 0;
      for (unsigned e : in[i])
        outside += !done[graph.edges[e].from] &&
                   component[graph.edges[e].from] != component[i];
      if (isStateful(graph.nodes[i].type) && outside < fewest) {
        fewest = outside;
        best = i;
      }
    }
    // The first component in the order of the graph waits for no other: if it
    // has a stateful node left, that one has no unsettled outside input.
    if (best == count || fewest != 0)
      graph.refuse(graph.nodes[stateless],
                   "it lies on a cycle without a stateful node, so its value "
                   "would depend on itself in the same step; put a neuron or a "
                   "Delay node on the cycle");
    for (unsigned e : in[best]) {
      Edge &edge = graph.edges[e];
      if (done[edge.from] || edge.cut ||
          component[edge.from] != component[best])
        continue;
      edge.cut = true;
      if (--unmet[best] == 0)
        ready.push_back(best);
    }
  }
}

} // namespace dendrolith::nir
