// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/LineOrder.h"

#include <algorithm>
#include <queue>

namespace dendrolith {

using cluster::Hypergraph;
using cluster::none;

namespace {

class Liner {
public:
  explicit Liner(const Hypergraph &graph) : graph(graph) {
    const uint32_t vertices = graph.vertices();
    double pins = double(graph.pins.value.size()), rates = 0;
    for (double rate : graph.rate)
      rates += rate;
    // Sources that are silent in the samples say who belongs together, too.
    silent = std::max(0.1 * rates / std::max(graph.nets(), 1u), 1e-12);
    // A memory of as many vertices as one is connected with.
    growth = 1 + 1 / std::max(pins / std::max(vertices, 1u), 16.0);
  }

  /// Vertices one after the other.
  std::vector<uint32_t> from(uint32_t first) {
    const uint32_t vertices = graph.vertices();
    placed.assign(vertices, false);
    score.assign(vertices, 0);
    now = 1;
    std::vector<uint32_t> line;
    uint32_t next = first, fresh = 0;
    while (line.size() < vertices) {
      line.push_back(next);
      placed[next] = true;
      attract(next);
      next = best();
      // Where nothing is connected any more, the next one in the given order.
      while (next == none && fresh < vertices && placed[fresh])
        ++fresh;
      if (next == none)
        next = fresh;
      if ((now *= growth) > 1e200)
        fade();
    }
    return line;
  }

private:
  struct Entry {
    double score;
    uint32_t vertex;
    bool operator<(const Entry &other) const {
      return score != other.score ? score < other.score : vertex > other.vertex;
    }
  };

  void add(uint32_t v, double by) {
    if (placed[v])
      return;
    score[v] += by;
    queue.push({score[v], v});
  }

  void attract(uint32_t v) {
    for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i) {
      const uint32_t e = graph.out.value[i];
      for (uint64_t k = graph.pins.begin[e]; k < graph.pins.begin[e + 1]; ++k)
        add(graph.pins.value[k], now * (graph.rate[e] + silent));
    }
    for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i)
      if (const uint32_t e = graph.in.value[i]; graph.source[e] != none)
        add(graph.source[e], now * (graph.rate[e] + silent));
  }

  uint32_t best() {
    while (!queue.empty()) {
      const Entry top = queue.top();
      queue.pop();
      if (!placed[top.vertex] && top.score == score[top.vertex])
        return top.vertex;
    }
    return none;
  }

  /// Keeps numbers from growing beyond what there is.
  void fade() {
    queue = {};
    for (uint32_t v = 0; v < score.size(); ++v)
      if ((score[v] /= now) > 0 && !placed[v])
        queue.push({score[v], v});
    now = 1;
  }

  const Hypergraph &graph;
  double silent = 0, growth = 1, now = 1;
  std::vector<bool> placed;
  std::vector<double> score;
  std::priority_queue<Entry> queue;
};

} // namespace

std::vector<uint32_t> lineOf(const Hypergraph &graph) {
  std::vector<uint32_t> position(graph.vertices());
  if (position.empty())
    return position;
  Liner liner(graph);
  // The last one is far from any, so that a line that begins there has one end.
  const std::vector<uint32_t> line = liner.from(liner.from(0).back());
  for (uint32_t i = 0; i < line.size(); ++i)
    position[line[i]] = i;
  return position;
}

} // namespace dendrolith
