// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/ConstraintsFile.h"

#include "targets/loader/yaml/Fields.h"
#include "targets/mesh/Routing.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith {

using yaml::Node;

namespace {

constexpr size_t maxEntries = 1 << 16;

class ConstraintsReader {
public:
  ConstraintsReader(const MapNetwork &network, const Target &target)
      : network(network), target(target) {
    for (const MapPopulation &population : network.populations)
      names.push_back(population.name);
  }

  Constraints read(const Node &root) {
    if (root.type != Node::Type::Map)
      yaml::fail(root, "expected a map with some of the keys pin, together, "
                       "apart, forbid, reserve and host, found " +
                           root.found());
    yaml::Fields fields(
        root, "constraints", {},
        {"pin", "together", "apart", "forbid", "reserve", "host"});
    Constraints all;
    forEach(fields, "pin",
            [&](const Node &node) { all.pins.push_back(readPin(node)); });
    forEach(fields, "together", [&](const Node &node) {
      all.together.push_back(readGroup(node, "together", 1));
    });
    forEach(fields, "apart", [&](const Node &node) {
      all.apart.push_back(readGroup(node, "apart", 2));
    });
    forEach(fields, "forbid", [&](const Node &node) {
      all.forbidden.push_back(readForbidden(node));
    });
    forEach(fields, "reserve", [&](const Node &node) {
      all.reserves.push_back(readReserve(node));
    });
    if (const Node *host = fields.find("host"))
      checkHost(*host);
    return all;
  }

private:
  template <class Read>
  static void forEach(const yaml::Fields &fields, const char *key, Read read) {
    const Node *list = fields.find(key);
    if (!list)
      return;
    if (list->type != Node::Type::Sequence)
      yaml::fail(*list, fmt::format("expected a list for '{}', found {}", key,
                                    list->found()));
    for (const Node &node : list->items)
      read(node);
  }

  template <class Entry>
  static Entry stated(const Node &node, const std::string &text, Entry entry) {
    entry.place = node.place();
    entry.text = text;
    entry.line = node.line;
    return entry;
  }

  uint32_t readPopulation(const Node &node) const {
    std::string name = yaml::readText(node, "population");
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      yaml::fail(node, fmt::format("the network has no population '{}'{}", name,
                                   suggestion(name, names)));
    uint32_t population = uint32_t(found - names.begin());
    if (network.populations[population].size == 0)
      yaml::fail(node, fmt::format("population '{}' has no neurons", name));
    return population;
  }

  NeuronRange readRange(const yaml::Fields &fields) const {
    NeuronRange range;
    range.population = readPopulation(fields.at("population"));
    uint32_t size = network.populations[range.population].size;
    if (const Node *first = fields.find("first"))
      range.first = uint32_t(yaml::readUnsigned(*first, "first", 0, size - 1));
    range.count = size - range.first;
    if (const Node *count = fields.find("count"))
      range.count =
          uint32_t(yaml::readUnsigned(*count, "count", 1, size - range.first));
    return range;
  }

  std::string textOf(const NeuronRange &range) const {
    const MapPopulation &population = network.populations[range.population];
    if (range.count == population.size)
      return fmt::format("'{}'", population.name);
    return fmt::format("'{}' {} to {}", population.name, range.first,
                       range.end() - 1);
  }

  uint32_t readTile(const Node &node) const {
    return uint32_t(yaml::readUnsigned(node, "tile", 0, target.numTiles() - 1));
  }

  /// The cores that exactly one of the keys core, tile and chip names, and its
  /// text.
  std::pair<CoreRange, std::string> readCores(const yaml::Fields &fields,
                                              const std::string &what) const {
    const Node *core = fields.find("core"), *tile = fields.find("tile"),
               *chip = fields.find("chip");
    if ((core != nullptr) + (tile != nullptr) + (chip != nullptr) != 1)
      yaml::fail(fields.node(), "expected one of " + what);
    if (core) {
      uint32_t id =
          uint32_t(yaml::readUnsigned(*core, "core", 0, target.numCores() - 1));
      return {{id, 1}, fmt::format("core {}", id)};
    }
    if (tile) {
      uint32_t id = readTile(*tile), each = uint32_t(target.mesh.coresPerTile);
      return {{id * each, each}, fmt::format("tile {}", id)};
    }
    const uint64_t chips = target.mesh.chips();
    const uint64_t id = yaml::readUnsigned(*chip, "chip", 0, maxEntries);
    if (chips == 1 && id != 0)
      yaml::fail(*chip, fmt::format("a mapping has one chip, chip 0, found {}",
                                    chip->text));
    if (id >= chips)
      yaml::fail(*chip, fmt::format("the board has chips 0 to {}, found {}",
                                    chips - 1, chip->text));
    const auto each = uint32_t(target.coresPerChip());
    return {{uint32_t(id) * each, each}, fmt::format("chip {}", id)};
  }

  Pin readPin(const Node &node) const {
    yaml::Fields fields(node, "pin", {"population"},
                        {"first", "count", "core", "tile", "chip"});
    Pin pin;
    pin.neurons = readRange(fields);
    auto [cores, text] = readCores(fields, "core, tile and chip");
    pin.cores = cores;
    return stated(
        node, fmt::format("pin of {} to {}", textOf(pin.neurons), text), pin);
  }

  /// A member is a population by its name, or a range.
  NeuronRange readMember(const Node &node) const {
    if (node.type == Node::Type::Scalar) {
      uint32_t population = readPopulation(node);
      return {population, 0, network.populations[population].size};
    }
    return readRange(yaml::Fields(node, "member of a group", {"population"},
                                  {"first", "count"}));
  }

  ConstraintGroup readGroup(const Node &node, const std::string &key,
                            size_t least) const {
    yaml::Fields fields(node, key, {"of"}, {"within"});
    ConstraintGroup group;
    std::string text;
    std::map<std::pair<uint32_t, uint32_t>, NeuronRange> byLast;
    forEach(fields, "of", [&](const Node &member) {
      NeuronRange range = readMember(member);
      auto next = byLast.lower_bound({range.population, range.first});
      if (next != byLast.end() && overlap(next->second, range))
        yaml::fail(member, fmt::format("{} and {} of one group overlap",
                                       textOf(next->second), textOf(range)));
      byLast[{range.population, range.end() - 1}] = range;
      text += (group.members.empty() ? "" : ", ") + textOf(range);
      group.members.push_back(range);
    });
    if (group.members.size() < least)
      yaml::fail(node, fmt::format("expected at least {} members of '{}', "
                                   "found {}",
                                   least, key, group.members.size()));
    if (const Node *within = fields.find("within"))
      if (yaml::readWord(*within, "within", {"core", "tile"}) == "tile")
        group.within = Within::Tile;
    return stated(node, fmt::format("{}: {}", key, text), std::move(group));
  }

  Forbidden readForbidden(const Node &node) const {
    yaml::Fields fields(node, "forbid", {}, {"core", "tile"});
    auto [cores, text] = readCores(fields, "core and tile");
    return stated(node, "forbidden " + text, Forbidden{{}, cores});
  }

  Reserve readReserve(const Node &node) const {
    std::vector<std::string> keys{"core"};
    for (int r = 0; r < numSums; ++r)
      keys.push_back(dendrolith::describe(Resource(r)).limit);
    yaml::Fields fields(node, "reserve", {}, keys);
    Reserve reserve;
    const Capacity capacity(target);
    std::string text;
    for (int r = 0; r < numSums; ++r) {
      const ResourceName &name = dendrolith::describe(Resource(r));
      const Node *room = fields.find(name.limit);
      if (!room)
        continue;
      if (capacity.of[r] == unlimited)
        yaml::fail(*room, fmt::format("a core of '{}' has no limit '{}'",
                                      target.name, name.limit));
      reserve.room[r] =
          yaml::readUnsigned(*room, name.limit, 1, capacity.of[r]);
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reserve.room[r],
                          name.counted);
    }
    if (text.empty())
      yaml::fail(node, "expected an amount of a limit of the chip, such as "
                       "compartments_per_core: 64");
    if (const Node *core = fields.find("core")) {
      reserve.core =
          uint32_t(yaml::readUnsigned(*core, "core", 0, target.numCores() - 1));
      text += fmt::format(" on core {}", *reserve.core);
    }
    return stated(node, "reserve of " + text, reserve);
  }

  void checkHost(const Node &node) const {
    const Node &tile = yaml::Fields(node, "host", {"tile"}).at("tile");
    if (readTile(tile) != kHostTile)
      yaml::fail(tile, fmt::format("the host is attached to tile {}, found {}",
                                   kHostTile, tile.text));
  }

  const MapNetwork &network;
  const Target &target;
  std::vector<std::string> names;
};

} // namespace

Constraints parseConstraints(const MapNetwork &network, const Target &target,
                             const std::string &text,
                             const std::string &filename) {
  return ConstraintsReader(network, target)
      .read(yaml::parse(text, filename, {maxEntries, size_t(16) << 20}));
}

} // namespace dendrolith
