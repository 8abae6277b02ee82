// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RANC: two text files a core, a line for each neuron and for each axon.

#include "compiler/export/loader/ChipTables.h"

#include "targets/loader/Target.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace dendrolith::loader {
namespace {

std::string bits(int64_t value, unsigned width) {
  std::string text(width, '0');
  for (unsigned b = 0; b < width; ++b)
    if (value >> b & 1)
      text[width - 1 - b] = '1';
  return text;
}

/// An axon has one sender, whose spikes are seen `offset` ticks later.
struct Axon {
  const Sender *sender = nullptr;
  const Reach *reach = nullptr;
  uint32_t offset = 0;
  size_t type = 0;
};

/// Where a neuron's spikes go.
struct Destination {
  uint32_t core = 0, axon = 0, offset = 0;
};

class Grid {
public:
  Grid(const image::Program &program, const image::Microprogram &circuit,
       const Target &chip)
      : tables(chipTables(program, circuit)), chip(chip),
        size(chip.limits.compartmentsPerCore.value_or(256)),
        most(chip.limits.inAxons.value_or(256)), width(chip.mesh.tilesX),
        numTypes(size_t(std::min<int64_t>(held(chip, "axon_types"), 4))) {
    while ((uint64_t(1) << axonBits) < most)
      ++axonBits;
  }

  std::map<std::string, std::string> files() {
    takeAxons();
    findBus();
    // The grid reads files for every place but that of the bus.
    std::map<uint32_t, const Core *> used;
    for (const Core &core : tables.cores)
      used[core.id] = &core;
    for (uint32_t id = 0; id < chip.numCores(); ++id) {
      Core silent;
      silent.id = id;
      if (used.count(id))
        addCore(*used[id]);
      else if (id != bus)
        addCore(silent);
    }
    result["names.txt"] = names;
    return std::move(result);
  }

private:
  void takeAxons() {
    for (const Sender &sender : tables.senders) {
      if (!sender.isHost && sender.reach.size() > 1)
        throw Error(fmt::format("{}: it reaches {} lists, and a neuron of "
                                "'{}' sends to one axon of one core; add a "
                                "neuron for each other one",
                                sender.text(), sender.reach.size(), chip.name));
      for (const Reach &reach : sender.reach) {
        const int64_t least = sender.isHost ? 0 : 1;
        if (reach.delay < least || reach.delay > least + 14)
          throw Error(fmt::format("{}: a delay of {} ticks, and '{}' has {} to "
                                  "{}; give the projection one of these",
                                  sender.text(), reach.delay, chip.name, least,
                                  least + 14));
        const auto offset = uint32_t(reach.delay - least);
        std::vector<Axon> &of = axons[reach.core];
        if (of.size() == most)
          throw Error(fmt::format("{}: core {} has no axon left, of {}; use "
                                  "fewer sources for each neuron",
                                  sender.text(), reach.core, most));
        if (!sender.isHost)
          destinations[{sender.core, sender.slot}] = {
              reach.core, uint32_t(of.size()), offset};
        of.push_back({&sender, &reach, offset, 0});
      }
    }
    for (auto &[core, of] : axons)
      chooseTypes(core, of);
  }

  /// An axon has one of four types, which selects one of four weights of each
  /// neuron: axons of a type agree in the neurons that they have in common. The
  /// longest axons choose first, and each takes the type that it shares most
  /// with, or the emptiest.
  void chooseTypes(uint32_t core, std::vector<Axon> &of) {
    auto &weights = typeWeights[core];
    weights.resize(numTypes);
    std::vector<Axon *> order;
    for (Axon &axon : of)
      order.push_back(&axon);
    std::stable_sort(order.begin(), order.end(), [](Axon *a, Axon *b) {
      return a->reach->synapses.size() > b->reach->synapses.size();
    });
    for (Axon *axon : order) {
      std::optional<std::pair<int64_t, size_t>> best; // what is shared, type
      for (size_t type = 0; type < numTypes; ++type) {
        const std::optional<int64_t> shared = sharedWith(weights[type], *axon);
        const int64_t fit =
            shared && *shared ? *shared : -int64_t(weights[type].size());
        if (shared && (!best || fit > best->first))
          best = {fit, type};
      }
      if (!best)
        throw Error(fmt::format(
            "{}: no way was found to give core {} {} types of axons "
            "(loader.axon_types), and a neuron of '{}' has a weight for each; "
            "use fewer different weights for a neuron",
            axon->sender->text(), core, numTypes, chip.name));
      axon->type = best->second;
      for (const Synapse &synapse : axon->reach->synapses) {
        checkWeight(*axon->sender, synapse.weight, chip);
        weights[axon->type][synapse.slot] = synapse.weight;
      }
    }
  }

  /// How many weights of a type an axon has, if no other one.
  static std::optional<int64_t>
  sharedWith(const std::map<uint32_t, int64_t> &weights, const Axon &axon) {
    int64_t shared = 0;
    for (const Synapse &synapse : axon.reach->synapses) {
      auto found = weights.find(synapse.slot);
      if (found == weights.end())
        continue;
      if (found->second != synapse.weight)
        return std::nullopt;
      ++shared;
    }
    return shared;
  }

  /// The output bus takes the last place of the grid that has no core.
  void findBus() {
    std::set<uint32_t> used;
    bool needed = false;
    for (const Core &core : tables.cores) {
      used.insert(core.id);
      for (uint32_t n = 0; n < core.neurons.size(); ++n)
        needed |= !destinations.count({core.id, n});
    }
    bus = uint32_t(chip.numCores());
    while (bus > 0 && used.count(bus - 1))
      --bus;
    if (bus == 0 && needed)
      throw Error(fmt::format("all {} places of the grid have a core, and the "
                              "output bus needs one; give --target "
                              "{},mesh.tiles_y={}",
                              chip.numCores(), chip.name,
                              chip.mesh.tilesY + 1));
    bus = bus ? bus - 1 : 0;
  }

  std::string row(const Core &core, uint32_t slot) {
    std::string synapses(most, '0');
    for (size_t a = 0; a < axons[core.id].size(); ++a)
      for (const Synapse &synapse : axons[core.id][a].reach->synapses)
        if (synapse.slot == slot)
          synapses[most - 1 - a] = '1';
    std::string line = synapses;
    const bool isUsed = slot < core.neurons.size();
    Neuron none; // never reaches its threshold
    none.params = {{"leak", 0},
                   {"positive", 255},
                   {"negative", -256},
                   {"reset", 0},
                   {"linear", 0}};
    const Neuron &neuron = isUsed ? core.neurons[slot] : none;
    line += bits(neuron.start, 9) + bits(neuron.params.at("reset"), 9);
    for (size_t type = 0; type < 4; ++type) { // the file has four
      auto &of = typeWeights[core.id];
      const bool has = type < of.size() && of[type].count(slot);
      line += bits(has ? of[type].at(slot) : 0, 9);
    }
    for (const char *name : {"leak", "positive", "negative"})
      line += bits(neuron.params.at(name), 9);
    line += neuron.params.at("linear") > 0 ? '1' : '0';
    Destination to{bus, 0, 0};
    if (isUsed) {
      auto found = destinations.find({core.id, slot});
      if (found != destinations.end()) {
        if (!neuron.output.empty())
          throw Error(fmt::format(
              "neuron {} of '{}': it is in output '{}' and reaches neurons, "
              "and a neuron of '{}' has one destination; add a neuron that "
              "is shown",
              neuron.number, neuron.population, neuron.output, chip.name));
        to = found->second;
      } else {
        to.axon = shown;
        names += fmt::format("bus {} output {} {}\n", shown,
                             neuron.output.empty() ? "-" : neuron.output,
                             neuron.number);
        if (++shown > most)
          throw Error(fmt::format("more than {} neurons send to the output "
                                  "bus of '{}'; take away outputs",
                                  most, chip.name));
      }
    }
    line += bits(int64_t(to.core % width) - int64_t(core.id % width), 9) +
            bits(int64_t(to.core / width) - int64_t(core.id / width), 9) +
            bits(to.axon, axonBits) + bits(to.offset, 4);
    return line + "\n";
  }

  void addCore(const Core &core) {
    std::string neurons, types;
    for (uint32_t n = 0; n < core.neurons.size(); ++n)
      names += fmt::format("core {} slot {} neuron {} {}\n", core.id, n,
                           core.neurons[n].population, core.neurons[n].number);
    for (uint32_t n = 0; n < size; ++n)
      neurons += row(core, n);
    for (uint64_t a = 0; a < most; ++a) {
      const bool isUsed = a < axons[core.id].size();
      types += bits(isUsed ? int64_t(axons[core.id][a].type) : 0, 2) + "\n";
      if (isUsed && axons[core.id][a].sender->isHost) {
        const Axon &axon = axons[core.id][a];
        names += fmt::format("core {} axon {} input {} {} packet {}{}{}{}\n",
                             core.id, a, axon.sender->name, axon.sender->number,
                             bits(int64_t(core.id % width), 9),
                             bits(int64_t(core.id / width), 9),
                             bits(int64_t(a), axonBits), bits(axon.offset, 4));
      }
    }
    result[fmt::format("csram_{:03}.mem", core.id)] = neurons;
    result[fmt::format("tc_{:03}.mem", core.id)] = types;
  }

  const ChipTables tables;
  const Target &chip;
  const uint64_t size, most, width;
  const size_t numTypes; ///< of axons
  unsigned axonBits = 0;
  uint32_t bus = 0, shown = 0;
  std::map<uint32_t, std::vector<Axon>> axons; ///< by core
  std::map<uint32_t, std::vector<std::map<uint32_t, int64_t>>> typeWeights;
  std::map<std::pair<uint32_t, uint32_t>, Destination> destinations;
  std::string names = "# cores are row by row; the output bus is its axons\n";
  std::map<std::string, std::string> result;
};

} // namespace

std::map<std::string, std::string> rancFiles(const image::Program &program,
                                             const image::Microprogram &circuit,
                                             const Target &chip) {
  return Grid(program, circuit, chip).files();
}

} // namespace dendrolith::loader
