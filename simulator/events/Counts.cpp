// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/Counts.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace dendrolith::sim {

Counter synopsOf(ListKind kind, bool graded) {
  switch (kind) {
  case ListKind::Dense:
    return graded ? Counter::SynopsGradedDense : Counter::SynopsDense;
  case ListKind::Sparse:
    return graded ? Counter::SynopsGradedSparse : Counter::SynopsSparse;
  case ListKind::Conv:
    break;
  }
  return graded ? Counter::SynopsGradedConv : Counter::SynopsConv;
}

void CoreCounts::add(Counter c, uint64_t n, uint64_t each) {
  uint64_t &value = values[static_cast<size_t>(c)];
  uint64_t more;
  if (__builtin_mul_overflow(n, each, &more) ||
      __builtin_add_overflow(value, more, &value))
    throw Error(fmt::format("counts: expected less than 2^64 of '{}', found "
                            "more; run fewer samples",
                            counterName(c)));
}

CoreCounts &CoreCounts::operator+=(const CoreCounts &other) {
  for (size_t i = 0; i < kCounters; ++i)
    add(static_cast<Counter>(i), other.values[i], 1);
  return *this;
}

CoreCounts &CoreCounts::operator-=(const CoreCounts &other) {
  for (size_t i = 0; i < kCounters; ++i)
    values[i] -= other.values[i];
  return *this;
}

CoreCounts Counts::total() const {
  CoreCounts sum = chip;
  sum += host;
  for (const auto &core : cores)
    sum += core.second;
  return sum;
}

void Counts::merge(const Counts &other) {
  chip += other.chip;
  host += other.host;
  for (const auto &[id, counts] : other.cores)
    cores[id] += counts;
  tiles = std::max(tiles, other.tiles);
  chips = std::max(chips, other.chips);
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> flits;
  auto add = [&](const std::vector<LinkCount> &list) {
    for (const LinkCount &link : list)
      flits[{link.from, link.to}] += link.flits;
  };
  add(links);
  add(other.links);
  links.clear();
  for (const auto &[link, count] : flits)
    links.push_back({link.first, link.second, count});
}

bool Counts::operator==(const Counts &other) const {
  return chip == other.chip && host == other.host && cores == other.cores &&
         tiles == other.tiles && chips == other.chips && links == other.links;
}

static std::string difference(const std::string &place, const CoreCounts &a,
                              const CoreCounts &b) {
  for (size_t i = 0; i < kCounters; ++i) {
    Counter c = static_cast<Counter>(i);
    if (!isCycleOnly(c) && a[c] != b[c])
      return fmt::format("{} {}: {} and {}", place, counterName(c), a[c], b[c]);
  }
  return "";
}

std::string Counts::difference(const Counts &other) const {
  std::string found = sim::difference("chip", chip, other.chip);
  if (found.empty())
    found = sim::difference("host", host, other.host);
  std::set<uint32_t> ids;
  for (const Counts *counts : {this, &other})
    for (const auto &core : counts->cores)
      ids.insert(core.first);
  for (uint32_t id : ids) {
    if (!found.empty())
      break;
    auto a = cores.find(id), b = other.cores.find(id);
    if (a == cores.end() || b == other.cores.end())
      return fmt::format("core {}: counted in one run only", id);
    found = sim::difference(fmt::format("core {}", id), a->second, b->second);
  }
  if (found.empty() && tiles != other.tiles)
    found = fmt::format("tiles: {} and {}", tiles, other.tiles);
  if (found.empty() && chips != other.chips)
    found = fmt::format("chips: {} and {}", chips, other.chips);
  if (found.empty() && links != other.links)
    found = "links: flits differ";
  return found;
}

CoreCounts Attribution::total() const {
  CoreCounts sum = chip;
  for (const LayerCounts &layer : layers)
    sum += layer.counts;
  return sum;
}

bool isServed(Counter counter) {
  // Entering and leaving tiles is a part of a message's way.
  return rowOf(counter).place == CountedAt::Destination &&
         counter != Counter::WithinTile;
}

void addFlows(Attribution &attribution) {
  for (const FlowCounts &flow : attribution.flows)
    for (size_t i = 0; i < kCounters; ++i) {
      const Counter c = static_cast<Counter>(i);
      if (flow.counts[c] == 0)
        continue;
      const uint32_t layer = isServed(c) ? flow.target : flow.source;
      attribution.layers[layer].counts.add(c, flow.counts[c], 1);
    }
}

} // namespace dendrolith::sim
