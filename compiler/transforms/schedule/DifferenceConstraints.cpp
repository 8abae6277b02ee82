// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/schedule/DifferenceConstraints.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/edge_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace dendrolith {
namespace {

using Ends = std::vector<std::pair<unsigned, unsigned>>;
// An edge list keeps the order in which constraints were added, and with it the
// choice among several cycles, which then hangs on nothing but the numbering.
using Graph = boost::edge_list<Ends::const_iterator>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

/// Notes which constraint pushed a variable last. Boost's own predecessors are
/// variables, of which two constraints may join the same pair.
struct Pushes : boost::bellman_visitor<> {
  Pushes(std::vector<size_t> &by, unsigned &last, uint64_t &looks)
      : by(by), last(last), looks(looks) {}
  void examine_edge(Edge, const Graph &) { ++looks; }
  void edge_relaxed(Edge edge, const Graph &graph) {
    last = target(edge, graph);
    by[last] = static_cast<size_t>(edge);
  }
  std::vector<size_t> &by;
  unsigned &last;
  uint64_t &looks;
};

/// Bellman's and Ford's rounds over constraints in a given order.
struct Relaxation {
  std::vector<int64_t> distance;
  std::vector<size_t> pushedBy; // by variable
  unsigned last = 0;            // the variable that was pushed last
  uint64_t looks = 0;           // at constraints

  /// Whether there is a solution.
  bool run(unsigned variables, const Ends &ends,
           const std::vector<int64_t> &weights) {
    Graph graph(ends.begin(), ends.end());
    // Longest paths are shortest ones of the turned weights. All distances
    // begin at 0, as from one more variable that is at most any other.
    distance.assign(variables, 0);
    pushedBy.assign(variables, 0);
    auto weight = boost::make_function_property_map<Edge, int64_t>(
        [&](Edge edge) { return -weights[size_t(edge)]; });
    // One round more than a longest path has edges: whatever was pushed in the
    // last one was pushed by a cycle.
    const unsigned rounds = variables + 1;
    return boost::bellman_ford_shortest_paths(
        graph, rounds, weight, boost::dummy_property_map(), distance.data(),
        std::plus<int64_t>(), std::less<int64_t>(),
        Pushes(pushedBy, last, looks));
  }
};

/// The constraints in an order in which one round settles all that no cycle and
/// no upper bound holds back: those that push a variable come before those that
/// start from it. In the order in which layers are named, each round may settle
/// one layer only.
std::vector<size_t> byDepth(unsigned variables, const Ends &ends,
                            const std::vector<int64_t> &weights) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> pushes(
      variables);
  for (size_t k = 0; k < ends.size(); ++k)
    if (weights[k] >= 0)
      boost::add_edge(ends[k].first, ends[k].second, pushes);
  // A component has a higher number than all that it leads to.
  std::vector<unsigned> component(variables);
  boost::strong_components(
      pushes, boost::make_iterator_property_map(
                  component.begin(), boost::get(boost::vertex_index, pushes)));
  std::vector<size_t> order(ends.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return component[ends[a].first] > component[ends[b].first];
  });
  return order;
}

} // namespace

std::vector<size_t>
DifferenceConstraints::solve(std::vector<int64_t> &least) const {
  Ends sortedEnds;
  std::vector<int64_t> sortedWeights;
  for (size_t k : byDepth(variables, ends, weights)) {
    sortedEnds.push_back(ends[k]);
    sortedWeights.push_back(weights[k]);
  }
  Relaxation relaxation;
  const bool solved = relaxation.run(variables, sortedEnds, sortedWeights);
  looks = relaxation.looks;
  if (solved) {
    least.resize(variables);
    std::transform(relaxation.distance.begin(), relaxation.distance.end(),
                   least.begin(), std::negate<int64_t>());
    return {};
  }
  // The order in which they were added decides which of several cycles is
  // named.
  relaxation.run(variables, ends, weights);
  const std::vector<size_t> &pushedBy = relaxation.pushedBy;
  // Back far enough to be on the cycle, then once around it.
  unsigned on = relaxation.last;
  for (unsigned i = 0; i < variables; ++i)
    on = ends[pushedBy[on]].first;
  std::vector<size_t> cycle;
  unsigned variable = on;
  do {
    cycle.push_back(pushedBy[variable]);
    variable = ends[pushedBy[variable]].first;
  } while (variable != on);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(),
              std::min_element(cycle.begin(), cycle.end(),
                               [&](size_t a, size_t b) {
                                 return ends[a].first < ends[b].first;
                               }),
              cycle.end());
  return cycle;
}

} // namespace dendrolith
