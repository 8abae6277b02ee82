// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Grow.h"

#include "compiler/mapping/cluster/Random.h"

#include <algorithm>

namespace dendrolith::cluster {

namespace {

/// A vertex's share of all.
class Sizes {
public:
  explicit Sizes(const Hypergraph &graph, bool slotsAlone = false)
      : part(graph.vertices()) {
    Needs all;
    double synapses = 0;
    for (uint32_t v = 0; v < graph.vertices(); ++v) {
      all += graph.needs[v];
      for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i)
        part[v] += graph.weightOfIn(i);
      synapses += part[v];
    }
    // Half of it its synapses, which is what words and axons go by.
    const double half = slotsAlone ? 0 : 0.5;
    for (uint32_t v = 0; v < graph.vertices(); ++v)
      part[v] = half * part[v] / std::max(synapses, 1.0) +
                (1 - half) * graph.needs[v].slots / std::max(all.slots, 1.0);
  }
  double of(uint32_t v) const { return part[v]; }

private:
  std::vector<double> part;
};

class Grower {
public:
  Grower(const Hypergraph &graph, const CoreLimits &limits, uint32_t parts,
         uint64_t seed)
      : graph(graph), limits(limits), sizes(graph), parts(parts), seed(seed),
        part(graph.vertices(), none), score(graph.vertices(), 0),
        state(graph, limits, parts, part), netAt(graph.nets(), none) {}

  std::vector<uint32_t> run() {
    order = shuffled(graph.vertices(), seed);
    double placed = 0;
    for (uint32_t p = 0; p < parts; ++p) {
      // Parts get what is left in equal shares.
      const double share = (1 - placed) / (parts - p);
      double held = 0;
      uint32_t next = begin();
      std::vector<uint32_t> refused;
      while (next != none) {
        const double size = sizes.of(next);
        if (held > 0 && held + size / 2 > share)
          break;
        if (held > 0 && exceeds(next, p)) {
          refused.push_back(next);
          part[next] = parts; // not in this one
          if (refused.size() > 64)
            break;
        } else {
          held += size;
          put(next, p);
        }
        next = best();
      }
      for (uint32_t v : refused)
        part[v] = none;
      placed += held;
    }
    for (uint32_t v : order)
      if (part[v] == none)
        part[v] = leftOver(v);
    return std::move(part);
  }

private:
  bool exceeds(uint32_t v, uint32_t p) {
    if (!state.tokensFit(v, p))
      return true;
    for (const Parts::Option &option : state.optionsOf(v, p))
      if (option.part == p)
        return option.there > 0;
    return false;
  }

  void put(uint32_t v, uint32_t p) {
    part[v] = p;
    state.move(v, p);
    auto reach = [&](uint32_t e) {
      if (netAt[e] == p)
        return;
      netAt[e] = p;
      const double points =
          (graph.rate[e] + 1e-3) / double(graph.pins.size(e) + 1);
      auto add = [&](uint32_t u) {
        if (part[u] != none)
          return;
        if (score[u] == 0)
          frontier.push_back(u);
        score[u] += points;
      };
      for (uint64_t i = graph.pins.begin[e]; i < graph.pins.begin[e + 1]; ++i)
        add(graph.pins.value[i]);
      if (graph.source[e] != none)
        add(graph.source[e]);
    };
    for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i)
      reach(graph.in.value[i]);
    for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
      reach(graph.out.value[i]);
  }

  /// Where the next part begins: beside the last one, where there is something
  /// left, since what is left then stays in one piece.
  uint32_t begin() {
    uint32_t found = best();
    for (uint32_t v : frontier)
      score[v] = 0;
    frontier.clear();
    while (found == none && nextInOrder < order.size()) {
      if (part[order[nextInOrder]] == none)
        found = order[nextInOrder];
      else
        ++nextInOrder;
    }
    return found;
  }

  uint32_t best() {
    uint32_t found = none;
    double most = -1;
    size_t kept = 0;
    for (uint32_t v : frontier) {
      if (part[v] != none && part[v] != parts) {
        score[v] = 0;
        continue;
      }
      frontier[kept++] = v;
      if (part[v] == parts)
        continue;
      double points = score[v] / sizes.of(v);
      if (points > most || (points == most && v < found)) {
        most = points;
        found = v;
      }
    }
    frontier.resize(kept);
    return found;
  }

  uint32_t leftOver(uint32_t v) {
    uint32_t emptiest = 0;
    for (uint32_t p = 1; p < parts; ++p)
      if (state.useOf(p).slots < state.useOf(emptiest).slots)
        emptiest = p;
    Parts::Option best;
    for (const Parts::Option &option : state.optionsOf(v, emptiest)) {
      auto key = std::make_tuple(!state.tokensFit(v, option.part),
                                 option.excess, option.cost, option.part);
      if (best.part == none ||
          key < std::make_tuple(!state.tokensFit(v, best.part), best.excess,
                                best.cost, best.part))
        best = option;
    }
    state.move(v, best.part);
    return best.part;
  }

  const Hypergraph &graph;
  const CoreLimits &limits;
  const Sizes sizes;
  const uint32_t parts;
  const uint64_t seed;
  std::vector<uint32_t> part, order, frontier;
  std::vector<double> score; // by vertex: what it has in common with the part
  Parts state;
  std::vector<uint32_t> netAt; // the part that last reached the net
  size_t nextInOrder = 0;
};

} // namespace

std::vector<uint32_t> grow(const Hypergraph &graph, const CoreLimits &limits,
                           uint32_t parts, uint64_t seed) {
  return Grower(graph, limits, parts, seed).run();
}

std::vector<uint32_t> chunks(const Hypergraph &graph, uint32_t parts,
                             bool slotsAlone) {
  const Sizes sizes(graph, slotsAlone);
  std::vector<uint32_t> part(graph.vertices());
  double held = 0;
  for (uint32_t v = 0; v < graph.vertices(); ++v) {
    const double size = sizes.of(v);
    part[v] = std::min(uint32_t((held + size / 2) * parts), parts - 1);
    held += size;
  }
  return part;
}

} // namespace dendrolith::cluster
