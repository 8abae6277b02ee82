// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/LineCut.h"

#include <algorithm>

namespace dendrolith {

using cluster::Hypergraph;
using cluster::none;

namespace {

/// Places to cut that are looked at.
constexpr uint32_t kPlaces = 640;

/// What the nets cost that have pins on both sides of each vertex's front.
std::vector<double> crossings(const Hypergraph &graph) {
  std::vector<double> sum(graph.vertices() + 1, 0);
  for (uint32_t e = 0; e < graph.nets(); ++e) {
    uint32_t first = none, last = 0;
    for (uint64_t i = graph.pins.begin[e]; i < graph.pins.begin[e + 1]; ++i) {
      first = std::min(first, graph.pins.value[i]);
      last = std::max(last, graph.pins.value[i]);
    }
    if (first >= last)
      continue;
    sum[first + 1] += graph.rate[e];
    sum[last + 1] -= graph.rate[e];
  }
  for (uint32_t v = 1; v <= graph.vertices(); ++v)
    sum[v] += sum[v - 1];
  return sum;
}

/// Where to cut: of vertices in a row the one in front of which least is cut.
std::vector<uint32_t> placesOf(const Hypergraph &graph) {
  const std::vector<double> cut = crossings(graph);
  const uint32_t vertices = graph.vertices();
  const uint32_t rows = std::min(kPlaces, vertices);
  std::vector<uint32_t> places{0};
  for (uint32_t r = 1; r < rows; ++r) {
    const auto begin = uint32_t(uint64_t(vertices) * r / rows);
    const auto end = uint32_t(uint64_t(vertices) * (r + 1) / rows);
    places.push_back(
        uint32_t(std::min_element(cut.begin() + begin, cut.begin() + end) -
                 cut.begin()));
  }
  places.push_back(vertices);
  return places;
}

class Line {
public:
  Line(const Hypergraph &graph, const LinePrices &prices)
      : graph(graph), prices(prices), places(placesOf(graph)),
        cells(uint32_t(places.size()) - 1), cellOf(graph.vertices()),
        cost(uint64_t(cells + 2) * (cells + 2), 0) {
    for (uint32_t c = 0; c < cells; ++c)
      std::fill(cellOf.begin() + places[c], cellOf.begin() + places[c + 1], c);
    slots.push_back(0);
    for (uint32_t c = 0; c < cells; ++c) {
      slots.push_back(slots.back());
      for (uint32_t v = places[c]; v < places[c + 1]; ++v)
        slots.back() += graph.needs[v].slots;
    }
    for (uint32_t e = 0; e < graph.nets(); ++e)
      addNet(e);
    for (uint32_t i = 0; i <= cells; ++i)
      for (uint32_t j = 0; j <= cells; ++j)
        at(i, j) += (i > 0 ? at(i - 1, j) : 0) + (j > 0 ? at(i, j - 1) : 0) -
                    (i > 0 && j > 0 ? at(i - 1, j - 1) : 0);
  }

  std::vector<uint32_t> cut(double room, uint32_t fewest, uint32_t most) const {
    // By number of parts and cell: the least cost of all before it, and where
    // the last part begins.
    constexpr double kNever = std::numeric_limits<double>::infinity();
    std::vector<double> before(cells + 1, kNever), now;
    before[0] = 0;
    std::vector<std::vector<uint32_t>> from;
    double least = kNever;
    size_t used = 0;
    for (uint32_t k = 1; k <= most; ++k) {
      now.assign(cells + 1, kNever);
      from.emplace_back(cells + 1, none);
      for (uint32_t j = 1; j <= cells; ++j)
        for (uint32_t i = j; i-- > 0 && slots[j] - slots[i] <= room;)
          if (const double sum = before[i] + at(i, j); sum < now[j]) {
            now[j] = sum;
            from.back()[j] = i;
          }
      if (k >= fewest && now[cells] < least - 1e-9) {
        least = now[cells];
        used = k;
      }
      before.swap(now);
    }
    std::vector<uint32_t> label(used ? graph.vertices() : 0);
    for (uint32_t k = uint32_t(used), j = cells; k > 0; --k) {
      const uint32_t i = from[k - 1][j];
      std::fill(label.begin() + places[i], label.begin() + places[j], k - 1);
      j = i;
    }
    return label;
  }

private:
  double &at(uint32_t i, uint32_t j) { return cost[i * (cells + 2) + j]; }
  double at(uint32_t i, uint32_t j) const { return cost[i * (cells + 2) + j]; }

  /// Parts that begin with cells first to last and end in front of cells from
  /// `begin` on and before `end`; `end` beyond all cells is none.
  void add(uint32_t first, uint32_t last, uint32_t begin, uint32_t end,
           double by) {
    at(first, begin) += by;
    at(last + 1, begin) -= by;
    at(first, end) -= by;
    at(last + 1, end) += by;
  }

  void addNet(uint32_t e) {
    std::vector<uint32_t> &hit = cellsHit;
    hit.clear();
    for (uint64_t i = graph.pins.begin[e]; i < graph.pins.begin[e + 1]; ++i)
      hit.push_back(cellOf[graph.pins.value[i]]);
    std::sort(hit.begin(), hit.end());
    hit.erase(std::unique(hit.begin(), hit.end()), hit.end());
    const double rate = graph.rate[e];
    // Each cell answers for the parts in which it is the first one hit.
    uint32_t begin = 0;
    for (uint32_t cell : hit) {
      add(begin, cell, cell + 1, cells + 1, rate * prices.other);
      begin = cell + 1;
    }
    if (graph.source[e] == none || prices.own == prices.other)
      return;
    // Parts with the source as well, less those of them that have no pin.
    const uint32_t s = cellOf[graph.source[e]];
    const double less = rate * (prices.own - prices.other);
    add(0, s, s + 1, cells + 1, less);
    const auto above = std::lower_bound(hit.begin(), hit.end(), s);
    if (above != hit.end() && *above == s)
      return;
    add(above == hit.begin() ? 0 : *std::prev(above) + 1, s, s + 1,
        above == hit.end() ? cells + 1 : *above + 1, -less);
  }

  const Hypergraph &graph;
  const LinePrices prices;
  const std::vector<uint32_t> places;
  const uint32_t cells;
  std::vector<uint32_t> cellOf; // by vertex
  std::vector<double> slots;    // in front of each cell
  /// By first cell of a part and the one that it ends in front of; first the
  /// differences.
  std::vector<double> cost;
  std::vector<uint32_t> cellsHit;
};

} // namespace

std::vector<uint32_t> cutLine(const Hypergraph &graph, double room,
                              uint32_t fewest, uint32_t most,
                              const LinePrices &prices) {
  if (graph.vertices() == 0)
    return {};
  return Line(graph, prices).cut(room, fewest, most);
}

} // namespace dendrolith
