// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/Counts.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace neurite::sim {

const char *counterName(Counter counter) {
  static const std::array<const char *, kCounters> names = {
      "steps",
      "tokens",
      "barriers",
      "resets",
      "spikes.binary",
      "spikes.unary",
      "spikes.graded",
      "inputs",
      "outputs",
      "messages",
      "flits",
      "hops_ew",
      "hops_ns",
      "host.messages",
      "host.flits",
      "host.hops_ew",
      "host.hops_ns",
      "within_tile",
      "axon_reads",
      "synmem_words",
      "synops.dense",
      "synops.sparse",
      "synops.conv",
      "synops.graded.dense",
      "synops.graded.sparse",
      "synops.graded.conv",
      "neuron_updates_active",
      "neuron_updates_inactive",
      "join_ops.add",
      "join_ops.max",
      "join_ops.min",
      "join_ops.or",
      "join_ops.and",
      "join_ops.pass",
      "ssf_rungs",
      "microcode.load",
      "microcode.store",
      "microcode.move",
      "microcode.add",
      "microcode.multiply",
      "microcode.mac",
      "microcode.shift",
      "microcode.compare",
      "microcode.select",
      "microcode.table",
      "microcode.control",
      "microcode.emit",
      "microcode.issue",
      "stalls",
  };
  return names[static_cast<size_t>(counter)];
}

std::optional<Counter> counterOf(std::string_view name) {
  for (size_t i = 0; i < kCounters; ++i)
    if (name == counterName(static_cast<Counter>(i)))
      return static_cast<Counter>(i);
  return std::nullopt;
}

bool isChipLevel(Counter counter) { return counter <= Counter::Resets; }

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
         tiles == other.tiles && links == other.links;
}

static std::string difference(const std::string &place, const CoreCounts &a,
                              const CoreCounts &b) {
  for (size_t i = 0; i < kCounters; ++i) {
    Counter c = static_cast<Counter>(i);
    if (c != Counter::Stalls && a[c] != b[c])
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
  if (found.empty() && links != other.links)
    found = "links: flits differ";
  return found;
}

} // namespace neurite::sim
