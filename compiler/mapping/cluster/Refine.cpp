// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Refine.h"

#include "compiler/mapping/cluster/Random.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::cluster {

Score scoreOf(const Parts &parts) { return {parts.excess(), parts.cost()}; }

namespace {

/// Draws of Gumbel's distribution: the option with the largest sum of gain and
/// draw is taken with the probability that annealing asks for.
class Gumbel {
public:
  Gumbel() {
    for (size_t i = 0; i < draws.size(); ++i)
      draws[i] = float(-std::log(-std::log((double(i) + 0.5) / draws.size())));
  }
  double draw(uint64_t hash) const { return draws[hash % draws.size()]; }

private:
  std::array<float, 4096> draws;
};

class Refiner {
public:
  Refiner(const Hypergraph &graph, Parts &parts, const RefineOptions &options,
          Workers &workers)
      : graph(graph), parts(parts), options(options), workers(workers),
        looks(workers.count(), OptionScratch(parts.parts())),
        settled(graph.vertices(), 0),
        piece(uint32_t(std::clamp<uint64_t>(
            uint64_t(kPiecePins) * graph.vertices() /
                std::max<uint64_t>(graph.in.value.size(), 1),
            1, kLargestPiece))) {
    double heard = 0, all = 0;
    for (uint32_t e = 0; e < graph.nets(); ++e) {
      heard += graph.rate[e] * double(graph.pins.size(e));
      all += graph.rate[e];
    }
    // Where vertices hear few nets, one message is a large part of the cost.
    scale = std::max(heard / std::max(graph.vertices(), 1u),
                     10 * all / std::max(graph.nets(), 1u));
    fine = std::max(heard, 1e-9) / parts.parts();
  }

  Score run() {
    score = scoreOf(parts);
    best = score;
    bestParts = parts.all();
    const uint32_t vertices = graph.vertices();
    for (uint32_t s = 0; s < options.sweeps && !workers.isOver(); ++s) {
      const double left =
          options.sweeps > 2 ? 1 - double(s) / (options.sweeps - 2) : 0;
      const double heat = options.heat * scale * std::max(left, 0.0);
      const uint32_t moved = sweep(heat, s);
      score = scoreOf(parts);
      if (score.betterThan(best)) {
        best = score;
        bestParts = parts.all();
      }
      if (heat <= 0 && moved * 2000 <= vertices)
        break;
    }
    for (uint32_t v = 0; v < vertices && best.betterThan(score); ++v)
      if (parts.partOf(v) != bestParts[v])
        parts.move(v, bestParts[v]);
    return best;
  }

private:
  uint32_t roomiest() const {
    uint32_t found = 0;
    for (uint32_t p = 1; p < parts.parts(); ++p)
      if (parts.useOf(p).slots < parts.useOf(found).slots)
        found = p;
    return found;
  }

  /// Vertices choose in batches, each on the parts as they are before its
  /// batch, so that threads can share one. A batch is few of all vertices, so
  /// that hardly any two in it have to do with each other.
  uint32_t sweep(double heat, uint32_t number) {
    const uint64_t seed = hashOf(options.seed, number);
    const uint32_t most =
        std::clamp(graph.vertices() / kBatches, 1u, kLargestBatch);
    uint32_t moved = 0;
    batch.clear();
    auto decide = [&] {
      spare = roomiest();
      chosen.resize(batch.size());
      const auto size = uint32_t(batch.size());
      workers.share((size + piece - 1) / piece,
                    [&](uint32_t number, unsigned worker) {
                      const uint32_t end = std::min(size, (number + 1) * piece);
                      for (uint32_t i = number * piece; i < end; ++i)
                        chosen[i] = choose(batch[i], heat, seed, looks[worker]);
                    });
      for (uint32_t i = 0; i < size; ++i)
        moved += take(batch[i], chosen[i]);
      batch.clear();
    };
    for (uint32_t v : shuffled(graph.vertices(), seed)) {
      if (heat <= 0 && settled[v] > 0 && parts.excessOf(parts.partOf(v)) <= 0) {
        --settled[v];
        continue;
      }
      batch.push_back(v);
      if (batch.size() < most)
        continue;
      if (workers.isOver())
        return moved;
      decide();
    }
    decide();
    return moved;
  }

  /// The part that a vertex takes, or none.
  uint32_t choose(uint32_t v, double heat, uint64_t seed, OptionScratch &look) {
    const bool over = parts.excessOf(parts.partOf(v)) > 0;
    uint64_t hash = hashOf(seed, uint64_t(v) << 32);
    double least = heat > 0 ? -heat * gumbel.draw(hash) : 0;
    double second = std::numeric_limits<double>::infinity(); // cost of a move
    uint32_t to = none;
    for (const Parts::Option &option :
         parts.optionsOf(v, look, over ? spare : none)) {
      if (options.strict && option.there > 0 && option.excess > -1e-12)
        continue;
      second = std::min(second, option.cost);
      double value = option.cost + options.fine * fine * option.excess;
      if (heat > 0)
        value -= heat * gumbel.draw(hash = hashOf(hash, option.part));
      if (value < least - 1e-12 ||
          (value < least + 1e-12 && to != none && option.part < to)) {
        least = value;
        to = option.part;
      }
    }
    settled[v] = second > 0.1 * scale ? 3 : 0;
    return to;
  }

  bool take(uint32_t v, uint32_t to) {
    if (to == none || !parts.tokensFit(v, to))
      return false;
    const uint32_t from = parts.partOf(v);
    const double before = parts.excessOf(from) + parts.excessOf(to);
    parts.move(v, to);
    const double after = parts.excessOf(from) + parts.excessOf(to);
    if (options.strict &&
        (after > before + 1e-12 || (parts.pushedOut() && after >= before))) {
      parts.move(v, from);
      return false;
    }
    return true;
  }

  // A batch is this part of all vertices, and has no more than so many.
  static constexpr uint32_t kBatches = 128, kLargestBatch = 1024;
  // Threads take so many vertices at once, or fewer that hear about so many
  // nets together: looking at these takes longer than to wake a thread.
  static constexpr uint32_t kLargestPiece = 16, kPiecePins = 2000;

  const Hypergraph &graph;
  Parts &parts;
  const RefineOptions &options;
  Workers &workers;
  std::vector<OptionScratch> looks; // by worker
  const Gumbel gumbel;
  double scale = 0, fine = 0;
  Score score, best;
  std::vector<uint32_t> bestParts;
  /// By vertex: for how many sweeps it is left where it is, because it was far
  /// from moving.
  std::vector<uint8_t> settled;
  const uint32_t piece;                // vertices that a thread takes
  std::vector<uint32_t> batch, chosen; // vertices and the parts that they take
  uint32_t spare = 0;                  // the part with most room
};

} // namespace

Score refine(const Hypergraph &graph, Parts &parts,
             const RefineOptions &options, Workers &workers) {
  return Refiner(graph, parts, options, workers).run();
}

} // namespace dendrolith::cluster
