// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/PlacementFile.h"

#include "targets/loader/Reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace neurite {

using yaml::Node;

namespace {

constexpr size_t maxEntries = 1 << 16;

struct Entry {
  Slice slice;
  const Node *node;
};

class PlacementReader {
public:
  PlacementReader(const MapNetwork &network, const Target &target)
      : network(network), target(target) {
    for (const MapPopulation &population : network.populations)
      names.push_back(population.name);
  }

  Entry read(const Node &node) {
    yaml::Fields fields(node, "slice",
                        {"population", "first", "count", "core"});
    Entry entry;
    entry.node = &node;
    const Node &population = fields.at("population");
    std::string name = yaml::readText(population, "population");
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      yaml::fail(population, fmt::format("the network has no population '{}'{}",
                                         name, yaml::suggestion(name, names)));
    Slice &slice = entry.slice;
    slice.population = uint32_t(found - names.begin());
    uint32_t size = network.populations[slice.population].size;
    if (size == 0)
      yaml::fail(population,
                 fmt::format("population '{}' has no neurons", name));
    slice.first =
        uint32_t(yaml::readUnsigned(fields.at("first"), "first", 0, size - 1));
    slice.count = uint32_t(
        yaml::readUnsigned(fields.at("count"), "count", 1, size - slice.first));
    slice.core = uint32_t(yaml::readUnsigned(fields.at("core"), "core", 0,
                                             target.numCores() - 1));
    return entry;
  }

  /// Each neuron in exactly one entry.
  void checkCover(std::vector<Entry> entries, const Node &root) const {
    std::stable_sort(
        entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
          return std::make_pair(a.slice.population, a.slice.first) <
                 std::make_pair(b.slice.population, b.slice.first);
        });
    size_t i = 0;
    for (uint32_t p = 0; p < names.size(); ++p) {
      uint32_t next = 0;
      auto missing = [&](uint32_t end, const Node &node) {
        yaml::fail(node, fmt::format("population '{}': neurons {} to {} are "
                                     "placed on no core",
                                     names[p], next, end - 1));
      };
      for (; i < entries.size() && entries[i].slice.population == p; ++i) {
        const Slice &slice = entries[i].slice;
        if (slice.first > next)
          missing(slice.first, *entries[i].node);
        if (slice.first < next)
          yaml::fail(*entries[i].node,
                     fmt::format("population '{}': neuron {} is placed already "
                                 "in line {}",
                                 names[p], slice.first,
                                 entries[i - 1].node->line));
        next += slice.count;
      }
      if (next < network.populations[p].size)
        missing(network.populations[p].size, root);
    }
  }

private:
  const MapNetwork &network;
  const Target &target;
  std::vector<std::string> names;
};

} // namespace

std::vector<Slice> parsePlacement(const MapNetwork &network,
                                  const Target &target, const std::string &text,
                                  const std::string &filename) {
  Node root = yaml::parse(text, filename, maxEntries);
  if (root.type != Node::Type::Sequence)
    yaml::fail(root, "expected a list of slices, '- {population: NAME, first: "
                     "N, count: N, core: N}', found " +
                         root.found());
  PlacementReader reader(network, target);
  std::vector<Entry> entries;
  for (const Node &node : root.items)
    entries.push_back(reader.read(node));
  reader.checkCover(entries, root);

  std::vector<Slice> slices;
  std::map<uint32_t, uint32_t> next; // free accumulator, by core
  for (Entry &entry : entries) {
    entry.slice.base = next[entry.slice.core];
    next[entry.slice.core] += accumulatorsOf(network, entry.slice);
    slices.push_back(entry.slice);
  }
  std::stable_sort(
      slices.begin(), slices.end(), [](const Slice &a, const Slice &b) {
        return std::make_pair(a.core, a.base) < std::make_pair(b.core, b.base);
      });
  return slices;
}

std::string formatPlacement(const MapNetwork &network, const Mapping &mapping) {
  if (mapping.slices.empty())
    return "[]\n";
  std::string text;
  for (const Slice &slice : mapping.slices)
    text +=
        fmt::format("- {{population: {}, first: {}, count: {}, core: {}}}\n",
                    yaml::inQuotes(network.populations[slice.population].name),
                    slice.first, slice.count, slice.core);
  return text;
}

} // namespace neurite
