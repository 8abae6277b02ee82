// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/RingOrder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dendrolith {

using cluster::Hypergraph;
using cluster::none;

namespace {

/// How often vertices go to the middle of their neighbours.
constexpr uint32_t kPasses = 8;

/// How many synapses, followed in either direction, lie between `first` and
/// each vertex. One that is not reached is farther than all others.
std::vector<uint32_t> waysFrom(const Hypergraph &graph, uint32_t first) {
  std::vector<uint32_t> ways(graph.vertices(), none), row{first};
  ways[first] = 0;
  auto reach = [&](uint32_t v, uint32_t way) {
    if (ways[v] != none)
      return;
    ways[v] = way;
    row.push_back(v);
  };
  for (size_t at = 0; at < row.size(); ++at) {
    const uint32_t v = row[at], next = ways[v] + 1;
    for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i) {
      const uint32_t e = graph.out.value[i];
      for (uint64_t k = graph.pins.begin[e]; k < graph.pins.begin[e + 1]; ++k)
        reach(graph.pins.value[k], next);
    }
    for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i)
      if (const uint32_t from = graph.source[graph.in.value[i]]; from != none)
        reach(from, next);
  }
  const uint32_t beyond = ways[row.back()] + 1;
  for (uint32_t &way : ways)
    way = std::min(way, beyond);
  return ways;
}

uint32_t farthest(const std::vector<uint32_t> &ways) {
  return uint32_t(std::max_element(ways.begin(), ways.end()) - ways.begin());
}

/// Angles of vertices. Two of them lie opposite each other, and two others
/// between these: the differences of the ways to them are coordinates.
std::vector<double> directions(const Hypergraph &graph) {
  const std::vector<uint32_t> east =
      waysFrom(graph, farthest(waysFrom(graph, 0)));
  const std::vector<uint32_t> west = waysFrom(graph, farthest(east));
  std::vector<uint32_t> nearer(east.size());
  std::transform(east.begin(), east.end(), west.begin(), nearer.begin(),
                 [](uint32_t a, uint32_t b) { return std::min(a, b); });
  const std::vector<uint32_t> north = waysFrom(graph, farthest(nearer));
  const std::vector<uint32_t> south = waysFrom(graph, farthest(north));
  std::vector<double> angle;
  for (uint32_t v = 0; v < graph.vertices(); ++v)
    angle.push_back(std::atan2(double(north[v]) - double(south[v]),
                               double(east[v]) - double(west[v])));
  return angle;
}

/// The places of vertices by rising angle.
std::vector<uint32_t> placesBy(const std::vector<double> &angle) {
  std::vector<uint32_t> row(angle.size()), place(angle.size());
  std::iota(row.begin(), row.end(), 0);
  std::sort(row.begin(), row.end(), [&](uint32_t a, uint32_t b) {
    return angle[a] != angle[b] ? angle[a] < angle[b] : a < b;
  });
  for (uint32_t i = 0; i < row.size(); ++i)
    place[row[i]] = i;
  return place;
}

/// Each vertex goes where its neighbours are on average, on a circle, which has
/// no ends that would draw them.
std::vector<double> smoothed(const Hypergraph &graph,
                             const std::vector<uint32_t> &place) {
  struct Point {
    double x = 0, y = 0;
  };
  std::vector<Point> at, sum(place.size());
  for (uint32_t i : place) {
    const double angle = 2 * M_PI * i / double(place.size());
    at.push_back({std::cos(angle), std::sin(angle)});
  }
  auto draw = [&](uint32_t v, uint32_t to) {
    sum[v].x += at[to].x;
    sum[v].y += at[to].y;
  };
  for (uint32_t e = 0; e < graph.nets(); ++e)
    if (const uint32_t from = graph.source[e]; from != none)
      for (uint64_t k = graph.pins.begin[e]; k < graph.pins.begin[e + 1]; ++k) {
        draw(from, graph.pins.value[k]);
        draw(graph.pins.value[k], from);
      }
  std::vector<double> angle;
  for (uint32_t v = 0; v < place.size(); ++v)
    angle.push_back(std::atan2(sum[v].y, sum[v].x));
  return angle;
}

} // namespace

std::vector<uint32_t> ringOf(const Hypergraph &graph) {
  if (graph.vertices() == 0)
    return {};
  std::vector<uint32_t> place = placesBy(directions(graph));
  for (uint32_t pass = 0; pass < kPasses; ++pass)
    place = placesBy(smoothed(graph, place));
  return place;
}

} // namespace dendrolith
