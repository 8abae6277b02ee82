// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/LoudSources.h"

#include "compiler/mapping/ProjectionLists.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace neurite {

namespace {

class Finder {
public:
  Finder(const MapNetwork &network, const Target &target,
         const ChipModel &model,
         const std::vector<std::vector<uint32_t>> &starts,
         const std::vector<uint32_t> &at, const std::vector<uint32_t> &cores,
         const std::vector<MeshLink> &links)
      : network(network), target(target), model(model), starts(starts), at(at),
        cores(cores), links(links), sums(cores.size() + links.size()),
        loudest(sums.size()), number(target.numTiles(), UINT32_MAX) {
    auto use = [&](uint64_t tile) {
      if (number[tile] == UINT32_MAX)
        number[tile] = used++;
    };
    use(kHostTile);
    for (uint32_t core : at) {
      use(target.tileOf(core));
      use(target.mesh.hostTile(target.tileOf(core)));
    }
    over.assign(size_t(used) * used, -1);
    assert(links.size() < 8 && "they are bits of a byte");
    for (const std::vector<uint32_t> &of : starts) {
      firstSlice.push_back(slices);
      slices += uint32_t(of.size()) - 1;
    }
  }

  LoudSources run() {
    auto listsOf = [&](bool fromInput) {
      return listsBySource(network, target.synapses, starts, fromInput);
    };
    const auto ofInputs = listsOf(true), ofPopulations = listsOf(false);
    for (uint32_t i = 0; i < network.inputs.size(); ++i)
      addSources(true, i, ofInputs[i], network.inputs[i].size);
    for (uint32_t p = 0; p < network.populations.size(); ++p)
      addSources(false, p, ofPopulations[p],
                 network.populations[p].size * network.populations[p].sources);
    for (size_t k = 0; k < sums.size(); ++k)
      if (sums[k] > 0)
        loudest[k].share /= sums[k];
    const auto middle = loudest.begin() + std::ptrdiff_t(cores.size());
    return {{loudest.begin(), middle}, {middle, loudest.end()}};
  }

private:
  void addSources(bool fromInput, uint32_t index,
                  const std::vector<ProjectionLists> &walks, uint32_t count) {
    uint32_t slice = 0; // of the element, counted in its population
    std::vector<double> load(sums.size());
    for (uint32_t element = 0; element < count; ++element) {
      const double rate = network.rate(fromInput, index, element);
      if (rate <= 0)
        continue;
      std::optional<uint64_t> from; // none: the host
      if (!fromInput) {
        const uint32_t neuron = element / network.populations[index].sources;
        while (starts[index][slice + 1] <= neuron)
          ++slice;
        from = target.tileOf(at[firstSlice[index] + slice]);
      }
      std::fill(load.begin(), load.end(), 0.0);
      for (const ProjectionLists &walk : walks)
        walk.lists.forEach(element, [&](size_t k, const ListPlan &plan,
                                        uint64_t, uint64_t) {
          addList(from, at[firstSlice[walk.projection->target] + k], rate,
                  model.serviceOf(plan, walk.projection->convolution), load);
        });
      if (!fromInput)
        addLinks(*from, target.mesh.hostTile(*from),
                 rate * network.hostOutputs(index) /
                     network.populations[index].sources,
                 load);
      for (size_t k = 0; k < load.size(); ++k) {
        sums[k] += load[k];
        if (load[k] > loudest[k].share)
          loudest[k] = {fromInput, index, element, load[k]};
      }
    }
  }

  void addList(std::optional<uint64_t> from, uint32_t core, double rate,
               double service, std::vector<double> &load) {
    for (size_t c = 0; c < cores.size(); ++c)
      if (cores[c] == core)
        load[c] += rate * service;
    const uint64_t to = target.tileOf(core);
    addLinks(from.value_or(target.mesh.hostTile(to)), to, rate, load);
  }

  void addLinks(uint64_t from, uint64_t to, double messages,
                std::vector<double> &load) {
    int8_t &bits = over[size_t(number[from]) * used + number[to]];
    if (bits < 0) {
      bits = 0;
      forEachLink(target.mesh, from, to, [&](const MeshLink &link) {
        for (size_t k = 0; k < links.size(); ++k)
          if (links[k].from == link.from &&
              links[k].direction == link.direction)
            bits = int8_t(bits | 1 << k);
      });
    }
    for (size_t k = 0; bits >> k != 0; ++k)
      if (bits >> k & 1)
        load[cores.size() + k] += messages;
  }

  const MapNetwork &network;
  const Target &target;
  const ChipModel &model;
  const std::vector<std::vector<uint32_t>> &starts;
  const std::vector<uint32_t> &at, &cores;
  const std::vector<MeshLink> &links;
  std::vector<uint32_t> firstSlice; // by population
  uint32_t slices = 0;
  std::vector<double> sums;        // of cores, then of links
  std::vector<LoudSource> loudest; // the same
  std::vector<uint32_t> number;    // by tile, of those in use
  uint32_t used = 0;
  /// By two tiles in use, bits of the links between; -1: not known.
  std::vector<int8_t> over;
};

} // namespace

LoudSources loudSources(const MapNetwork &network, const Target &target,
                        const ChipModel &model,
                        const std::vector<std::vector<uint32_t>> &starts,
                        const std::vector<uint32_t> &at,
                        const std::vector<uint32_t> &cores,
                        const std::vector<MeshLink> &links) {
  return Finder(network, target, model, starts, at, cores, links).run();
}

} // namespace neurite
