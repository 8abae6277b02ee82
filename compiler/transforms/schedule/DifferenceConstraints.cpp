// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/schedule/DifferenceConstraints.h"

#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/edge_list.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <algorithm>
#include <functional>

namespace neurite {
namespace {

using Ends = std::vector<std::pair<unsigned, unsigned>>;
// An edge list keeps the order in which constraints were added, and with it the
// choice among several cycles, which then hangs on nothing but the numbering.
using Graph = boost::edge_list<Ends::const_iterator>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

/// Notes which constraint pushed a variable last. Boost's own predecessors are
/// variables, of which two constraints may join the same pair.
struct Pushes : boost::bellman_visitor<> {
  Pushes(std::vector<size_t> &by, unsigned &last) : by(by), last(last) {}
  void edge_relaxed(Edge edge, const Graph &graph) {
    last = target(edge, graph);
    by[last] = static_cast<size_t>(edge);
  }
  std::vector<size_t> &by;
  unsigned &last;
};

} // namespace

std::vector<size_t>
DifferenceConstraints::solve(std::vector<int64_t> &least) const {
  Graph graph(ends.begin(), ends.end());
  // Longest paths are shortest ones of the turned weights. All distances begin
  // at 0, as from one more variable that is at most any other.
  std::vector<int64_t> distance(variables, 0);
  std::vector<size_t> pushedBy(variables, 0);
  unsigned last = 0;
  auto weight = boost::make_function_property_map<Edge, int64_t>(
      [&](Edge edge) { return -weights[size_t(edge)]; });
  // One round more than a longest path has edges: whatever was pushed in the
  // last one was pushed by a cycle.
  const unsigned rounds = variables + 1;
  if (boost::bellman_ford_shortest_paths(
          graph, rounds, weight, boost::dummy_property_map(), distance.data(),
          std::plus<int64_t>(), std::less<int64_t>(), Pushes(pushedBy, last))) {
    least.resize(variables);
    std::transform(distance.begin(), distance.end(), least.begin(),
                   std::negate<int64_t>());
    return {};
  }
  // Back far enough to be on the cycle, then once around it.
  unsigned on = last;
  for (unsigned i = 0; i < variables; ++i)
    on = ends[pushedBy[on]].first;
  std::vector<size_t> cycle;
  unsigned at = on;
  do {
    cycle.push_back(pushedBy[at]);
    at = ends[pushedBy[at]].first;
  } while (at != on);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(),
              std::min_element(cycle.begin(), cycle.end(),
                               [&](size_t a, size_t b) {
                                 return ends[a].first < ends[b].first;
                               }),
              cycle.end());
  return cycle;
}

} // namespace neurite
