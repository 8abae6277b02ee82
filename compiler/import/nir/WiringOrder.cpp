// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/WiringOrder.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>

#include <iterator>

namespace dendrolith::nir {

using Arrows =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// The vertices, each after all that point to it; empty where there is a cycle.
/// Vertices and arrows are visited in order of their numbers, so that order
/// depends on nothing else.
static std::vector<unsigned> sorted(const Arrows &arrows) {
  std::vector<unsigned> order;
  try {
    boost::topological_sort(arrows, std::back_inserter(order));
  } catch (const boost::not_a_dag &) {
    return {};
  }
  return {order.rbegin(), order.rend()};
}

/// The lowest vertex on a cycle, in a graph that has one.
static unsigned lowestOnCycle(const Arrows &arrows) {
  std::vector<unsigned> component(boost::num_vertices(arrows));
  unsigned count = boost::strong_components(arrows, component.data());
  std::vector<unsigned> members(count, 0);
  for (unsigned one : component)
    ++members[one];
  unsigned vertex = 0;
  while (members[component[vertex]] == 1 &&
         !boost::edge(vertex, vertex, arrows).second)
    ++vertex;
  return vertex;
}

std::vector<unsigned> linearOrder(const Graph &graph) {
  auto isLinear = [&](unsigned node) {
    return !isSource(graph.nodes[node]) && !isSink(graph.nodes[node]);
  };
  Arrows arrows(graph.nodes.size());
  for (const Edge &edge : graph.edges)
    if (isLinear(edge.from) && isLinear(edge.to))
      boost::add_edge(edge.from, edge.to, arrows);
  std::vector<unsigned> order;
  for (unsigned node : sorted(arrows))
    if (isLinear(node))
      order.push_back(node);
  if (order.empty() && boost::num_edges(arrows) > 0)
    graph.refuse(graph.nodes[lowestOnCycle(arrows)],
                 "it lies on a cycle of linear nodes and delays without a "
                 "neuron; put a population on the cycle");
  return order;
}

void checkDelays(const Graph &graph, const Policy &policy,
                 const std::vector<Projection> &projections) {
  Arrows arrows(graph.nodes.size());
  for (const Projection &p : projections)
    if (p.delay == 0)
      boost::add_edge(p.source, p.target, arrows);
  if (boost::num_edges(arrows) > 0 && sorted(arrows).empty())
    graph.refuse(
        graph.nodes[lowestOnCycle(arrows)],
        "it lies on a cycle without delay, because --import loop-delay is "
        "{}; give 1 or more",
        policy.options.loopDelay);
}

} // namespace dendrolith::nir
