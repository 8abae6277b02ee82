// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Coarsen.h"

#include "compiler/mapping/cluster/Random.h"

#include <algorithm>

namespace dendrolith::cluster {

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
