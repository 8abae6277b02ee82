// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/CountsRecord.h"

#include "simulator/record/Json.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace dendrolith::sim {

using nlohmann::json;
using nlohmann::ordered_json;

/// Calls `f` with each part of a dotted name.
template <typename F> static void forParts(const std::string &name, F f) {
  for (size_t start = 0; start <= name.size();) {
    size_t dot = std::min(name.find('.', start), name.size());
    f(name.substr(start, dot - start));
    start = dot + 1;
  }
}

ordered_json toJson(const CoreCounts &counts, bool chip) {
  ordered_json block = ordered_json::object();
  for (size_t i = 0; i < kCounters; ++i) {
    Counter c = static_cast<Counter>(i);
    if ((isChipLevel(c) && !chip) || isCycleOnly(c) ||
        (isRare(c) && counts[c] == 0))
      continue;
    ordered_json *at = &block;
    forParts(counterName(c),
             [&](const std::string &part) { at = &(*at)[part]; });
    *at = counts[c];
  }
  return block;
}

ordered_json toJson(const Counts &counts) {
  ordered_json result;
  result["total"] = toJson(counts.total(), true);
  result["total"]["tiles"] = counts.tiles;
  if (counts.chips > 1)
    result["total"]["chips"] = counts.chips;
  result["host"] = toJson(counts.host, false);
  result["cores"] = ordered_json::object();
  for (const auto &[id, core] : counts.cores)
    result["cores"][std::to_string(id)] = toJson(core, false);
  result["links"] = ordered_json::array();
  for (const LinkCount &link : counts.links)
    result["links"].push_back(
        {{"from", link.from}, {"to", link.to}, {"flits", link.flits}});
  return result;
}

/// Refuses members of `value` that are neither a counter under `prefix` nor on
/// the way to one.
static void refuseUnknown(const json &value, const std::string &prefix,
                          bool chip, const std::string &where) {
  for (const auto &item : value.items()) {
    std::string name = prefix + item.key();
    bool known = chip && (name == "tiles" || name == "chips");
    for (size_t i = 0; i < kCounters && !known; ++i) {
      Counter c = static_cast<Counter>(i);
      std::string counter = counterName(c);
      known = (!isChipLevel(c) || chip) &&
              (counter == name || counter.rfind(name + ".", 0) == 0);
    }
    if (!known)
      throw Error(fmt::format("{}: '{}' is not a counter here", where,
                              printable(name)));
    if (item.value().is_object())
      refuseUnknown(item.value(), name + ".", chip, where);
  }
}

CoreCounts coreCountsFromJson(const json &value, bool chip,
                              const std::string &where) {
  if (!value.is_object())
    throw Error(fmt::format("{}: expected an object, found {}", where,
                            value.type_name()));
  refuseUnknown(value, "", chip, where);
  CoreCounts counts;
  for (size_t i = 0; i < kCounters; ++i) {
    Counter c = static_cast<Counter>(i);
    if (isChipLevel(c) && !chip)
      continue;
    const json *at = &value;
    std::string place = where;
    forParts(counterName(c), [&](const std::string &part) {
      if (at && isRare(c) && !at->contains(part))
        at = nullptr;
      if (at)
        at = &member(*at, part, place);
      place += "." + part;
    });
    if (at)
      counts[c] = readCount(*at, place);
  }
  return counts;
}

static uint32_t readId(const std::string &text, const std::string &where) {
  uint64_t id = 0;
  bool good = !text.empty() && text.size() <= 10 &&
              (text[0] != '0' || text.size() == 1) &&
              std::all_of(text.begin(), text.end(),
                          [](char c) { return c >= '0' && c <= '9'; });
  if (good)
    id = std::stoull(text);
  if (!good || id > std::numeric_limits<uint32_t>::max())
    throw Error(fmt::format("{}: expected core ids as keys, found '{}'", where,
                            printable(text)));
  return static_cast<uint32_t>(id);
}

static LinkCount linkFromJson(const json &value, const std::string &where) {
  if (!value.is_object() || value.size() != 3)
    throw Error(
        fmt::format("{}: expected an object of from, to and flits", where));
  auto read = [&](const char *key) {
    return readCount(member(value, key, where), where + "." + key);
  };
  uint64_t from = read("from"), to = read("to");
  if (std::max(from, to) > std::numeric_limits<uint32_t>::max())
    throw Error(fmt::format("{}: expected tiles below 2^32, found {}", where,
                            std::max(from, to)));
  return {static_cast<uint32_t>(from), static_cast<uint32_t>(to),
          read("flits")};
}

/// `total` must be what its parts add up to; its chip-level counters have no
/// parts and are kept.
static CoreCounts checkTotal(const CoreCounts &total, const Counts &counts,
                             const std::string &where) {
  CoreCounts chip;
  for (size_t i = 0; i < kCounters; ++i) {
    Counter c = static_cast<Counter>(i);
    if (isChipLevel(c)) {
      chip[c] = total[c];
      continue;
    }
    unsigned __int128 sum = counts.host[c];
    for (const auto &core : counts.cores)
      sum += core.second[c];
    if (sum != total[c])
      throw Error(fmt::format("{}.total.{}: expected the sum of host and "
                              "cores, found {}",
                              where, counterName(c), total[c]));
  }
  return chip;
}

/// The tiles and chips in use; one chip is not written.
static void readExtent(const json &total, const std::string &where,
                       Counts &counts) {
  counts.tiles = readCount(member(total, "tiles", where), where + ".tiles");
  if (total.contains("chips"))
    counts.chips = readCount(total.at("chips"), where + ".chips");
}

Counts totalsFromJson(const json &value, const std::string &where) {
  const json &total = member(value, "total", where);
  Counts counts;
  CoreCounts sums = coreCountsFromJson(total, true, where + ".total");
  readExtent(total, where + ".total", counts);
  counts.host =
      coreCountsFromJson(member(value, "host", where), false, where + ".host");
  CoreCounts &cores = counts.cores[0];
  for (size_t i = 0; i < kCounters; ++i) {
    Counter c = static_cast<Counter>(i);
    if (isChipLevel(c)) {
      counts.chip[c] = sums[c];
      continue;
    }
    if (counts.host[c] > sums[c])
      throw Error(fmt::format("{}.total.{}: expected at least what the host "
                              "has, {}, found {}",
                              where, counterName(c), counts.host[c], sums[c]));
    cores[c] = sums[c] - counts.host[c];
  }
  return counts;
}

Counts countsFromJson(const json &value, const std::string &where) {
  Counts counts;
  const json &total = member(value, "total", where);
  for (const auto &item : value.items())
    if (item.key() != "total" && item.key() != "host" &&
        item.key() != "cores" && item.key() != "links")
      throw Error(
          fmt::format("{}: unknown member '{}'", where, printable(item.key())));
  CoreCounts sums = coreCountsFromJson(total, true, where + ".total");
  readExtent(total, where + ".total", counts);
  counts.host =
      coreCountsFromJson(member(value, "host", where), false, where + ".host");
  const json &cores = member(value, "cores", where);
  if (!cores.is_object())
    throw Error(fmt::format("{}.cores: expected an object, found {}", where,
                            cores.type_name()));
  for (const auto &item : cores.items())
    counts.cores[readId(item.key(), where + ".cores")] = coreCountsFromJson(
        item.value(), false, where + ".cores." + printable(item.key()));
  const json &links = member(value, "links", where);
  if (!links.is_array())
    throw Error(fmt::format("{}.links: expected an array, found {}", where,
                            links.type_name()));
  for (size_t i = 0; i < links.size(); ++i)
    counts.links.push_back(
        linkFromJson(links[i], fmt::format("{}.links[{}]", where, i)));
  counts.chip = checkTotal(sums, counts, where);
  return counts;
}

} // namespace dendrolith::sim
