// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Exchange.h"

#include "compiler/mapping/cluster/Random.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace dendrolith {

using cluster::none;

namespace {

constexpr double kLeast = 1e-9; // a gain below this is rounding

} // namespace

Exchange::Change Exchange::changeOf(uint32_t v, uint32_t to) {
  for (const cluster::Parts::Option &option : parts.optionsOf(v, look, to))
    if (option.part == to)
      return {option.cost, option.excess};
  return {};
}

/// Moves the vertex, and back again where limits forbid that. `before` is what
/// both parts were beyond their limits.
bool Exchange::mayGo(uint32_t v, uint32_t to, double before, uint32_t from) {
  parts.move(v, to);
  const double after = parts.excessOf(from) + parts.excessOf(to);
  if (after <= before + 1e-12 && !(parts.pushedOut() && after >= before))
    return true;
  parts.move(v, from);
  return false;
}

bool Exchange::move(uint32_t v, uint32_t to) {
  const uint32_t from = parts.partOf(v);
  const Change change = changeOf(v, to);
  if (change.cost > -kLeast || !parts.tokensFit(v, to) ||
      !mayGo(v, to, parts.excessOf(from) + parts.excessOf(to), from))
    return false;
  gained -= change.cost;
  return true;
}

bool Exchange::swap(uint32_t v, uint32_t u) {
  const uint32_t from = parts.partOf(v), to = parts.partOf(u);
  if (!parts.tokensFit(v, to) || !parts.tokensFit(u, from))
    return false;
  const double before = parts.excessOf(from) + parts.excessOf(to);
  double cost = changeOf(v, to).cost;
  parts.move(v, to);
  const bool pushed = parts.pushedOut();
  if (!pushed && (cost += changeOf(u, from).cost) < -kLeast &&
      mayGo(u, from, before, to)) {
    gained -= cost;
    return true;
  }
  parts.move(v, from);
  return false;
}

/// Adds the parts that the vertex has nothing in common with. They cost about
/// the same, so that only one is looked at.
void Exchange::addOthers(uint32_t v,
                         std::vector<cluster::Parts::Option> &options) {
  std::vector<bool> known(parts.parts(), false);
  known[parts.partOf(v)] = true;
  for (const cluster::Parts::Option &option : options)
    known[option.part] = true;
  std::optional<Change> change;
  for (uint32_t p = 0; p < parts.parts(); ++p)
    if (!known[p]) {
      if (!change)
        change = changeOf(v, p);
      cluster::Parts::Option option;
      option.part = p;
      option.cost = change->cost;
      options.push_back(option);
    }
}

void Exchange::listWishes() {
  constexpr size_t kWishes = 16; // of a vertex, the best ones
  const uint32_t count = parts.parts();
  wishes.assign(uint64_t(count) * count, {});
  std::vector<cluster::Parts::Option> best;
  for (uint32_t v = 0; v < graph.vertices(); ++v) {
    best = parts.optionsOf(v, look);
    addOthers(v, best);
    const size_t kept = std::min(best.size(), kWishes);
    std::partial_sort(best.begin(), best.begin() + std::ptrdiff_t(kept),
                      best.end(), [](const auto &a, const auto &b) {
                        return std::make_pair(a.cost, a.part) <
                               std::make_pair(b.cost, b.part);
                      });
    for (size_t i = 0; i < kept; ++i)
      wishes[uint64_t(parts.partOf(v)) * count + best[i].part].push_back(
          {best[i].cost, v});
  }
  for (std::vector<Wish> &each : wishes)
    std::sort(each.begin(), each.end(), [](const Wish &a, const Wish &b) {
      return std::make_pair(a.cost, a.vertex) <
             std::make_pair(b.cost, b.vertex);
    });
}

/// Those that gain most go first. The wishes are from before the pass, so that
/// each swap is looked at anew.
void Exchange::swapBetween(uint32_t a, uint32_t b) {
  constexpr size_t kPartners = 8; // that are tried for a vertex
  const std::vector<Wish> &there = wishes[uint64_t(a) * parts.parts() + b];
  const std::vector<Wish> &back = wishes[uint64_t(b) * parts.parts() + a];
  std::vector<bool> gone(back.size(), false);
  size_t first = 0; // of `back` that has not gone
  for (const Wish &wish : there) {
    while (first < back.size() && gone[first])
      ++first;
    if (first == back.size() || wish.cost + back[first].cost > -kLeast)
      return;
    if (parts.partOf(wish.vertex) != a)
      continue;
    size_t tried = 0;
    for (size_t j = first; j < back.size() && tried < kPartners; ++j) {
      if (wish.cost + back[j].cost > -kLeast)
        break;
      if (gone[j] || parts.partOf(back[j].vertex) != b)
        continue;
      ++tried;
      if (!swap(wish.vertex, back[j].vertex))
        continue;
      gone[j] = true;
      break;
    }
  }
}

bool Exchange::swapBest(uint32_t passes) {
  const double all = std::max(parts.cost(), 1e-9);
  bool any = false;
  for (uint32_t pass = 0; pass < passes; ++pass) {
    gained = 0;
    listWishes();
    for (uint32_t a = 0; a < parts.parts(); ++a)
      for (uint32_t b = a + 1; b < parts.parts(); ++b) {
        // Where there is room a move alone does.
        for (auto [from, to] : {std::pair{a, b}, {b, a}})
          for (const Wish &wish : wishes[uint64_t(from) * parts.parts() + to]) {
            if (wish.cost > -kLeast)
              break;
            if (parts.partOf(wish.vertex) == from)
              move(wish.vertex, to);
          }
        swapBetween(a, b);
      }
    any |= gained > 0;
    if (gained < 2e-4 * all)
      break;
  }
  return any;
}

void Exchange::swapAll() {
  const uint32_t vertices = graph.vertices();
  do {
    gained = 0;
    for (uint32_t v = 0; v < vertices; ++v) {
      for (uint32_t p = 0; p < parts.parts(); ++p)
        if (p != parts.partOf(v))
          move(v, p);
      for (uint32_t u = 0; u < v; ++u)
        if (parts.partOf(u) != parts.partOf(v))
          swap(v, u);
    }
  } while (gained > kLeast);
}

bool Exchange::propose(uint32_t v, uint32_t to, uint32_t with, double limit) {
  const uint32_t from = parts.partOf(v);
  if (!parts.tokensFit(v, to))
    return false;
  Change change = changeOf(v, to);
  if (with == none) {
    if (change.cost + fine * change.excess > limit)
      return false;
    parts.move(v, to);
    gained -= change.cost;
    return true;
  }
  parts.move(v, to);
  const Change back = changeOf(with, from);
  change.cost += back.cost;
  change.excess += back.excess;
  if (change.cost + fine * change.excess <= limit &&
      parts.tokensFit(with, from)) {
    parts.move(with, from);
    gained -= change.cost;
    return true;
  }
  parts.move(v, from);
  return false;
}

void Exchange::anneal(uint64_t seed, uint64_t proposals) {
  const uint32_t vertices = graph.vertices(), count = parts.parts();
  if (vertices < 2 || count < 2)
    return;
  const double began = parts.cost();
  double best = 0; // that was gained within the limits
  gained = 0;
  const double excess = parts.excess();
  std::vector<uint32_t> kept = parts.all();
  fine = began / count;
  // As hot as a vertex's messages are worth in the beginning.
  const double hot = began / vertices, cold = 0.02 * hot;
  for (uint64_t i = 0; i < proposals; ++i) {
    const double heat =
        hot * std::pow(cold / hot, double(i) / double(proposals));
    uint64_t hash = cluster::hashOf(seed, i);
    const auto v = uint32_t(hash % vertices);
    hash = cluster::hashOf(hash, v);
    uint32_t with = uint32_t(hash % vertices), to = parts.partOf(with);
    if ((hash >> 40) % 4 == 0) {
      with = none;
      to = uint32_t((hash >> 20) % count);
    }
    if (to == parts.partOf(v))
      continue;
    // Accepts what the draw allows to be so much worse.
    const double draw =
        (double(cluster::hashOf(hash, i) >> 11) + 0.5) * 0x1p-53;
    if (propose(v, to, with, -heat * std::log(draw)) &&
        gained > best + kLeast && parts.excess() <= excess + 1e-9) {
      best = gained;
      kept = parts.all();
    }
  }
  for (uint32_t v = 0; v < vertices; ++v)
    if (parts.partOf(v) != kept[v])
      parts.move(v, kept[v]);
}

} // namespace dendrolith
