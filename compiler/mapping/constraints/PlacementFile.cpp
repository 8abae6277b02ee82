// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/PlacementFile.h"

#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith {

using yaml::Node;

namespace {

// A line for each neuron of a large network, where all are apart.
const yaml::Bounds bounds{1 << 20, 64 << 20};

struct PlacementEntry {
  PlacedRange range;
  const Node *node;
};

class PlacementReader {
public:
  PlacementReader(const MapNetwork &network, const Target &target)
      : network(network), target(target) {
    for (const MapPopulation &population : network.populations)
      names.push_back(population.name);
  }

  PlacementEntry read(const Node &node) {
    yaml::Fields fields(node, "slice", {"population", "first", "count", "core"},
                        {"slice"});
    PlacementEntry entry;
    entry.node = &node;
    const Node &population = fields.at("population");
    std::string name = yaml::readText(population, "population");
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      yaml::fail(population, fmt::format("the network has no population '{}'{}",
                                         name, suggestion(name, names)));
    PlacedRange &range = entry.range;
    range.population = uint32_t(found - names.begin());
    uint32_t size = network.populations[range.population].size;
    if (size == 0)
      yaml::fail(population,
                 fmt::format("population '{}' has no neurons", name));
    range.first =
        uint32_t(yaml::readUnsigned(fields.at("first"), "first", 0, size - 1));
    range.count = uint32_t(
        yaml::readUnsigned(fields.at("count"), "count", 1, size - range.first));
    range.core = uint32_t(yaml::readUnsigned(fields.at("core"), "core", 0,
                                             target.numCores() - 1));
    if (const Node *part = fields.find("slice"))
      range.part =
          uint32_t(yaml::readUnsigned(*part, "slice", 0, bounds.members));
    return entry;
  }

  /// Each neuron in exactly one entry.
  void checkCover(std::vector<PlacementEntry> entries, const Node &root) const {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const PlacementEntry &a, const PlacementEntry &b) {
                       return std::make_pair(a.range.population,
                                             a.range.first) <
                              std::make_pair(b.range.population, b.range.first);
                     });
    size_t i = 0;
    for (uint32_t p = 0; p < names.size(); ++p) {
      uint32_t next = 0;
      auto missing = [&](uint32_t end, const Node &node) {
        yaml::fail(node, fmt::format("population '{}': neurons {} to {} are "
                                     "placed on no core",
                                     names[p], next, end - 1));
      };
      for (; i < entries.size() && entries[i].range.population == p; ++i) {
        const PlacedRange &range = entries[i].range;
        if (range.first > next)
          missing(range.first, *entries[i].node);
        if (range.first < next)
          yaml::fail(*entries[i].node,
                     fmt::format("population '{}': neuron {} is placed already "
                                 "in line {}",
                                 names[p], range.first,
                                 entries[i - 1].node->line));
        next += range.count;
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

std::string readPlacementFile(const std::string &path) {
  return yaml::readFile(path, bounds);
}

std::vector<PlacedRange> parsePlacement(const MapNetwork &network,
                                        const Target &target,
                                        const std::string &text,
                                        const std::string &filename) {
  Node root = yaml::parse(text, filename, bounds);
  if (root.type != Node::Type::Sequence)
    yaml::fail(root, "expected a list of slices, '- {population: NAME, first: "
                     "N, count: N, core: N}', found " +
                         root.found());
  PlacementReader reader(network, target);
  std::vector<PlacementEntry> entries;
  for (const Node &node : root.items)
    entries.push_back(reader.read(node));
  reader.checkCover(entries, root);
  std::vector<PlacedRange> ranges;
  for (const PlacementEntry &entry : entries)
    ranges.push_back(entry.range);
  return ranges;
}

/// Calls visit(first, count) for neurons of the slice that are numbered one
/// after the other.
template <class Visit>
static void forEachRange(const Mapping &mapping, const Slice &slice,
                         Visit visit) {
  const bool isOrdered = slice.population < mapping.order.size() &&
                         !mapping.order[slice.population].empty();
  if (!isOrdered)
    return visit(slice.first, slice.count);
  const uint32_t *neuron = mapping.order[slice.population].data() + slice.first;
  for (uint32_t i = 0, next = 0; i < slice.count; i = next) {
    for (next = i + 1;
         next < slice.count && neuron[next] == neuron[next - 1] + 1;)
      ++next;
    visit(neuron[i], next - i);
  }
}

std::string formatPlacement(const MapNetwork &network, const Mapping &mapping) {
  if (mapping.slices.empty())
    return "[]\n";
  std::string text;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> parts; // population, core
  for (const Slice &slice : mapping.slices) {
    uint32_t part = parts[{slice.population, slice.core}]++;
    std::string suffix = part ? fmt::format(", slice: {}", part) : "";
    forEachRange(mapping, slice, [&](uint32_t first, uint32_t count) {
      text += fmt::format(
          "- {{population: {}, first: {}, count: {}, core: {}{}}}\n",
          yaml::inQuotes(network.populations[slice.population].name), first,
          count, slice.core, suffix);
    });
  }
  return text;
}

} // namespace dendrolith
