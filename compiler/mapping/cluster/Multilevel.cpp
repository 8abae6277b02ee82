// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Multilevel.h"

#include "compiler/mapping/cluster/Grow.h"
#include "compiler/mapping/cluster/Random.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::cluster {

namespace {

// The coarsest graph has so many vertices, or so many for each part. With
// fewer, a vertex is too much of a part for parts to become equal.
constexpr double kFewest = 4000, kFewestPerPart = 40;
/// How many vertices at the most become one in one step.
constexpr double kRatio = 3;
// Beginnings that are tried, and sweeps over the vertices: short and long ones
// of the coarsest graph, of those between, and of the network itself.
constexpr uint32_t kStarts = 4, kBriefSweeps = 6, kCoarseSweeps = 24,
                   kSweeps = 6, kLastSweeps = 6;
// A graph with few vertices takes no time, and has few ways out of a bad start.
constexpr uint32_t kSmall = 300, kSmallStarts = 24;
// RefineOptions::heat of each.
constexpr double kCoarseHeat = 0.03, kHeat = 0.01, kLastHeat = 0.003;

struct Level {
  Hypergraph graph;
  std::vector<uint32_t> label; // of the vertices of the finer level
};

class Multilevel {
public:
  Multilevel(const Hypergraph &graph, const CoreLimits &limits, uint32_t parts,
             uint64_t seed, double effort, Workers &workers)
      : graph(graph), limits(limits), parts(parts), seed(seed), effort(effort),
        workers(workers) {}

  Result run(std::vector<uint32_t> start) {
    Result result = initial(coarsest(std::move(start)));
    while (!levels.empty()) {
      std::vector<uint32_t> fine(levels.back().label.size());
      for (uint32_t v = 0; v < fine.size(); ++v)
        fine[v] = result.part[levels.back().label[v]];
      levels.pop_back();
      const bool last = levels.empty();
      RefineOptions options;
      options.seed = hashOf(seed, 100 + levels.size());
      options.sweeps = many(last ? kLastSweeps : kSweeps);
      options.heat = last ? kLastHeat : kHeat;
      options.fine = 2;
      result = refined(coarse(), std::move(fine), options, workers);
    }
    return result;
  }

private:
  const Hypergraph &coarse() const {
    return levels.empty() ? graph : levels.back().graph;
  }

  /// Makes the levels. Vertices of different parts in `within` never merge;
  /// returns these parts for the coarsest vertices.
  std::vector<uint32_t> coarsest(std::vector<uint32_t> within) {
    const double few = std::max(kFewest, kFewestPerPart * parts);
    while (coarse().vertices() > few) {
      const Hypergraph &fine = coarse();
      CoarsenOptions options;
      options.seed = hashOf(seed, levels.size());
      options.share = std::min(0.25, 3.0 * parts / few);
      options.ratio = kRatio;
      options.within = within.empty() ? nullptr : &within;
      Labels labels = coarsen(fine, limits, options);
      if (labels.count > 0.95 * fine.vertices())
        break;
      if (!within.empty()) {
        std::vector<uint32_t> merged(labels.count);
        for (uint32_t v = 0; v < fine.vertices(); ++v)
          merged[labels.of[v]] = within[v];
        within = std::move(merged);
      }
      Level level;
      level.graph = contract(fine, labels.of, labels.count);
      level.label = std::move(labels.of);
      levels.push_back(std::move(level));
    }
    return within;
  }

  uint32_t many(uint32_t usual) const {
    return uint32_t(std::max(1L, std::lround(usual * effort)));
  }

  Result refined(const Hypergraph &of, std::vector<uint32_t> part,
                 const RefineOptions &options, Workers &with) {
    Parts state(of, limits, parts, std::move(part));
    Result result;
    result.score = refine(of, state, options, with);
    if (levels.empty()) {
      // Limits may be exceeded on the way, not in the end.
      RefineOptions strict = options;
      strict.strict = true;
      strict.heat = 0;
      strict.fine = 20;
      strict.sweeps = 4;
      result.score = refine(of, state, strict, with);
    }
    result.part = state.all();
    return result;
  }

  Result initial(const std::vector<uint32_t> &given) {
    RefineOptions options;
    options.seed = hashOf(seed, 50);
    options.sweeps = many(kCoarseSweeps);
    options.heat = kCoarseHeat;
    options.fine = 2;
    if (!given.empty())
      return refined(coarse(), given, options, workers);
    // A short look at several beginnings, each by itself, then a long one at
    // the best.
    const bool small = coarse().vertices() < kSmall;
    const uint32_t starts = many(small ? kSmallStarts : kStarts);
    std::vector<Result> found(starts);
    workers.share(starts, [&](uint32_t s, unsigned) {
      Workers alone(1, [this] { return workers.isOver(); });
      RefineOptions brief = options;
      brief.seed = hashOf(seed, 50 + s);
      brief.sweeps = small ? kCoarseSweeps : kBriefSweeps;
      found[s] = refined(coarse(), grow(coarse(), limits, parts, brief.seed),
                         brief, alone);
    });
    uint32_t best = 0;
    for (uint32_t s = 1; s < starts; ++s)
      if (found[s].score.betterThan(found[best].score))
        best = s;
    return refined(coarse(), std::move(found[best].part), options, workers);
  }

  const Hypergraph &graph;
  const CoreLimits &limits;
  const uint32_t parts;
  const uint64_t seed;
  const double effort;
  Workers &workers;
  std::vector<Level> levels;
};

} // namespace

Result partition(const Hypergraph &graph, const CoreLimits &limits,
                 uint32_t parts, uint64_t seed, double effort, Workers &workers,
                 const std::vector<uint32_t> &start) {
  return Multilevel(graph, limits, parts, seed, effort, workers).run(start);
}

namespace {

/// A sample of the nets. Each pin of a net with many pins would see all the
/// others; so large nets are sampled seldom, and count for more then.
struct Sample {
  std::vector<float>
      score; // by net: of each pair of its pins; 0 = not looked at

  Sample(const Hypergraph &graph, const CoarsenOptions &options) {
    constexpr double kPins = 16; // looked at per vertex and net, on average
    double all = 0;
    for (double rate : graph.rate)
      all += rate;
    const double mean = all > 0 ? all / graph.nets() : 0;
    score.resize(graph.nets());
    for (uint32_t e = 0; e < graph.nets(); ++e) {
      // Nets of rate 0 have lists and axons, which are shared as well.
      double weight = mean > 0 ? graph.rate[e] / mean + 0.1 : 1;
      double pins = double(graph.pins.size(e)) + (graph.source[e] != none);
      if (pins < 2)
        continue;
      double kept = std::min(1.0, kPins * weight / pins);
      double draw = double(hashOf(options.seed, e) >> 11) * 0x1p-53;
      if (draw < kept)
        score[e] = float(weight / (pins - 1) / kept);
    }
  }
};

class Coarsener {
public:
  Coarsener(const Hypergraph &graph, const CoreLimits &limits,
            const CoarsenOptions &options)
      : graph(graph), limits(limits), options(options), sample(graph, options),
        label(graph.vertices()), needs(graph.needs), size(graph.vertices(), 1),
        score(graph.vertices(), 0) {
    for (uint32_t v = 0; v < graph.vertices(); ++v) {
      label[v] = v;
      needs[v].in += double(graph.in.size(v));
      needs[v].out += double(graph.out.size(v));
    }
  }

  Labels run() {
    for (uint32_t v : shuffled(graph.vertices(), options.seed))
      if (size[label[v]] == 1 && label[v] == v)
        join(v);
    Labels labels;
    labels.of.resize(graph.vertices());
    std::vector<uint32_t> number(graph.vertices(), none);
    // In order of their first vertex, so that neighbours in memory stay so.
    for (uint32_t v = 0; v < graph.vertices(); ++v) {
      uint32_t &n = number[label[v]];
      if (n == none)
        n = labels.count++;
      labels.of[v] = n;
    }
    return labels;
  }

private:
  void rate(uint32_t net, uint32_t v) {
    const float points = sample.score[net];
    if (points == 0)
      return;
    auto add = [&](uint32_t u) {
      uint32_t l = label[u];
      if (score[l] == 0)
        seen.push_back(l);
      score[l] += points;
    };
    for (uint64_t i = graph.pins.begin[net]; i < graph.pins.begin[net + 1]; ++i)
      add(graph.pins.value[i]);
    if (uint32_t source = graph.source[net]; source != none && source != v)
      add(source);
  }

  /// Joins v, which is alone, to the label that it has most in common with.
  void join(uint32_t v) {
    seen.clear();
    for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i)
      rate(graph.in.value[i], v);
    for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
      rate(graph.out.value[i], v);
    double best = 0;
    uint32_t to = none;
    for (uint32_t l : seen) {
      // Small ones first, so that all grow alike.
      double points = double(score[l]) / (needs[l].work + needs[v].work);
      score[l] = 0;
      if (l == label[v] || points < best || (points == best && l >= to))
        continue;
      if (options.within && (*options.within)[l] != (*options.within)[v])
        continue;
      if (size[l] + 1 > options.ratio || !fits(l, v))
        continue;
      best = points;
      to = l;
    }
    if (to == none)
      return;
    label[v] = to;
    needs[to] += needs[v];
    ++size[to];
  }

  /// In-axons and words of the two together are no more than their sums, and
  /// mostly less, which a limit must allow for.
  bool fits(uint32_t a, uint32_t b) const {
    Needs sum = needs[a];
    sum += needs[b];
    return sum.slots * limits.slots <= options.share &&
           sum.work * limits.work <= options.share &&
           sum.bytes * limits.bytes <= options.share &&
           sum.words * limits.words <= options.share &&
           sum.out * limits.out <= 2 * options.share;
  }

  const Hypergraph &graph;
  const CoreLimits &limits;
  const CoarsenOptions &options;
  const Sample sample;
  std::vector<uint32_t> label; // the number of one of its vertices
  std::vector<Needs> needs;    // by label
  std::vector<uint32_t> size;  // by label
  std::vector<float> score;    // by label, of the vertex looked at
  std::vector<uint32_t> seen;
};

} // namespace

Labels coarsen(const Hypergraph &graph, const CoreLimits &limits,
               const CoarsenOptions &options) {
  return Coarsener(graph, limits, options).run();
}

} // namespace dendrolith::cluster
