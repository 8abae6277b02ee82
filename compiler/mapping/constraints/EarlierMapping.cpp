// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/EarlierMapping.h"

#include "runtime/image/ProgramFile.h"
#include "runtime/image/Tables.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/InputFile.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <optional>
#include <string_view>

namespace dendrolith {

namespace {

constexpr size_t maxEarlierEntries = 1 << 20;
constexpr uint64_t maxBytes = uint64_t(2) << 30; // of a list of slices
const std::string_view magic = "DENDROLITH";     // images begin so
constexpr uint64_t maxNeuron = std::numeric_limits<uint32_t>::max();

/// Puts neurons of named populations on cores, and counts those that the new
/// network lacks.
class Collector {
public:
  Collector(const MapNetwork &network, const NeuronOrder &numbers,
            const std::string &path)
      : path(path) {
    for (uint32_t p = 0; p < network.populations.size(); ++p) {
      index[network.populations[p].name] = p;
      earlier.core.emplace_back(network.populations[p].size, noCore);
      std::vector<uint32_t> &at = neuronOf.emplace_back();
      if (p < numbers.size() && !numbers[p].empty()) {
        at.resize(numbers[p].size());
        for (uint32_t n = 0; n < at.size(); ++n)
          at[numbers[p][n]] = n;
      }
    }
  }

  /// The first of the neurons [first, first + count) that has a core already,
  /// which ends this.
  std::optional<uint64_t> add(const std::string &population, uint64_t first,
                              uint64_t count, uint32_t core) {
    auto found = index.find(population);
    if (found == index.end()) {
      gone[population] += count;
      return std::nullopt;
    }
    shared = true;
    std::vector<uint32_t> &cores = earlier.core[found->second];
    const uint64_t end = std::min<uint64_t>(first + count, cores.size());
    for (uint64_t n = first; n < end; ++n) {
      const std::vector<uint32_t> &at = neuronOf[found->second];
      uint32_t &known = cores[at.empty() ? n : at[n]];
      if (known != noCore)
        return n;
      known = core;
    }
    earlier.gone += first + count - std::max(first, end);
    return std::nullopt;
  }

  EarlierMapping finish() {
    if (!shared) {
      std::vector<std::string> there, here;
      for (const auto &[name, neurons] : gone)
        there.push_back(name);
      for (const auto &[name, population] : index)
        here.push_back(name);
      throw Error(fmt::format(
          "{}: it is no mapping of this network: it has the populations {}, "
          "the network has {}; leave it out, or give the image or the "
          "placement of an earlier version of the network",
          path, listed(there), listed(here)));
    }
    for (const auto &[name, neurons] : gone) {
      earlier.gone += neurons;
      earlier.populationsGone.push_back(name);
    }
    for (const std::vector<uint32_t> &cores : earlier.core)
      for (uint32_t core : cores)
        ++(core == noCore ? earlier.unplaced : earlier.placed);
    return std::move(earlier);
  }

private:
  static std::string listed(std::vector<std::string> names) {
    constexpr size_t most = 5;
    const bool more = names.size() > most;
    names.resize(std::min(names.size(), most));
    return names.empty() ? "none"
                         : "'" + fmt::format("{}", fmt::join(names, "', '")) +
                               (more ? "', ..." : "'");
  }

  const std::string &path;
  EarlierMapping earlier;
  NeuronOrder neuronOf; // by number in the model; empty where that is it
  std::map<std::string, uint32_t> index;
  std::map<std::string, uint64_t> gone; // neurons, by population
  bool shared = false;
};

void addImage(const image::Program &program, Collector &collector) {
  std::map<std::string, std::vector<uint32_t>> numbers;
  for (const image::Population &population : program.populations())
    numbers[population.name()] = decodeU32(population.numbers());
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups()) {
      const std::vector<uint32_t> &number = numbers[group.population()];
      const uint64_t first = group.first_neuron(), count = group.count();
      if (number.empty())
        collector.add(group.population(), first, count, core.id());
      else
        for (uint64_t n = first; n < first + count; ++n)
          collector.add(group.population(), number[n], 1, core.id());
    }
}

std::string onChips(const Mesh &mesh) {
  return mesh.chips() == 1
             ? ""
             : fmt::format(" on {} x {} chips", mesh.chipsX, mesh.chipsY);
}

/// The image's own chip has to be this one: cores have the same places then.
void checkTarget(const image::Program &program, const std::string &path,
                 const Target &target) {
  if (program.target_name() != target.name)
    throw Error(fmt::format("{}: it is for target '{}', expected '{}'; map the "
                            "network anew, without it",
                            path, program.target_name(), target.name));
  const Mesh had = Target::parse(program.target_yaml(), path).mesh;
  const Mesh &has = target.mesh;
  if (had.tilesX != has.tilesX || had.tilesY != has.tilesY ||
      had.coresPerTile != has.coresPerTile || had.chipsX != has.chipsX ||
      had.chipsY != has.chipsY)
    throw Error(fmt::format(
        "{}: it is for {} x {} tiles of {} cores{}, target '{}' has {} x {} of "
        "{}{}; map the network anew, without it",
        path, had.tilesX, had.tilesY, had.coresPerTile, onChips(had),
        target.name, has.tilesX, has.tilesY, has.coresPerTile, onChips(has)));
}

void addPlacement(const std::string &text, const std::string &path,
                  const Target &target, Collector &collector) {
  const yaml::Node root =
      yaml::parse(text, path, {maxEarlierEntries, size_t(64) << 20});
  if (root.type != yaml::Node::Type::Sequence)
    yaml::fail(root, "expected a program image or a list of slices, "
                     "'- {population: NAME, first: N, count: N, core: N}', "
                     "found " +
                         root.found());
  for (const yaml::Node &node : root.items) {
    yaml::Fields fields(node, "slice",
                        {"population", "first", "count", "core"});
    std::string name = yaml::readText(fields.at("population"), "population");
    uint64_t first =
        yaml::readUnsigned(fields.at("first"), "first", 0, maxNeuron - 1);
    uint64_t count =
        yaml::readUnsigned(fields.at("count"), "count", 1, maxNeuron - first);
    uint32_t core = uint32_t(yaml::readUnsigned(fields.at("core"), "core", 0,
                                                target.numCores() - 1));
    if (auto twice = collector.add(name, first, count, core))
      yaml::fail(node,
                 fmt::format("population '{}': neuron {} is placed already",
                             name, *twice));
  }
}

} // namespace

std::string EarlierMapping::summary() const {
  std::string text = fmt::format("of {} neurons {} lay somewhere, {} are new",
                                 placed + unplaced, placed, unplaced);
  if (gone)
    text += fmt::format("; {} are gone", gone);
  return text;
}

static bool isImage(const std::string &path) {
  InputFile file(path, std::numeric_limits<int64_t>::max());
  std::string first(magic.size(), '\0');
  return file.read(first.data(), first.size()) == first.size() &&
         first == magic;
}

EarlierMapping readEarlierMapping(const std::string &path,
                                  const MapNetwork &network,
                                  const Target &target,
                                  const NeuronOrder &numbers) {
  Collector collector(network, numbers, path);
  if (isImage(path)) {
    // Where neurons lay is all that counts, so no synapses are read.
    const image::Program program =
        ProgramFile(path).read([](uint32_t) { return false; });
    checkTarget(program, path, target);
    addImage(program, collector);
  } else {
    addPlacement(readFile(path, maxBytes), path, target, collector);
  }
  return collector.finish();
}

uint64_t movedNeurons(const EarlierMapping &earlier, const NeuronCores &now) {
  uint64_t moved = 0;
  for (size_t p = 0; p < earlier.core.size(); ++p)
    for (size_t n = 0; n < earlier.core[p].size(); ++n)
      moved += earlier.core[p][n] != noCore && earlier.core[p][n] != now[p][n];
  return moved;
}

} // namespace dendrolith
