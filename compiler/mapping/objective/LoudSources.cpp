// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/LoudSources.h"

#include "compiler/mapping/network/ListWalk.h"

#include <algorithm>
#include <cassert>

namespace dendrolith {

namespace {

class Finder {
public:
  Finder(const MapNetwork &network, const Target &target,
         const ChipModel &model,
         const std::vector<std::vector<uint32_t>> &starts,
         const std::vector<uint32_t> &coreOfSlice,
         const std::vector<uint32_t> &cores, const std::vector<MeshLink> &links)
      : network(network), target(target), model(model), starts(starts),
        cores(cores), links(links), sums(cores.size() + links.size()),
        loudest(sums.size()) {
    std::vector<uint32_t> number(target.numTiles(), UINT32_MAX);
    auto numberOf = [&](uint64_t tile) {
      if (number[tile] == UINT32_MAX) {
        number[tile] = uint32_t(tiles.size());
        tiles.push_back(tile);
      }
      return number[tile];
    };
    for (uint32_t core : coreOfSlice) {
      const uint64_t tile = target.tileOf(core);
      SliceTiles place{numberOf(tile), numberOf(kHostTile), 0};
      for (size_t c = 0; c < cores.size(); ++c)
        place.bits |= uint32_t(cores[c] == core) << c;
      places.push_back(place);
    }
    over.assign(tiles.size() * tiles.size(), -1);
    assert(links.size() < 8 && "they are bits of a byte");
    assert(cores.size() < 32 && "they are bits of a number");
    for (const std::vector<uint32_t> &bounds : starts) {
      firstSlice.push_back(slices);
      slices += uint32_t(bounds.size()) - 1;
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
      const SliceTiles *from = nullptr; // the host
      if (!fromInput) {
        const uint32_t neuron = element / network.populations[index].sources;
        while (starts[index][slice + 1] <= neuron)
          ++slice;
        from = &places[firstSlice[index] + slice];
      }
      std::fill(load.begin(), load.end(), 0.0);
      for (const ProjectionLists &walk : walks)
        walk.lists.forEach(element, [&](size_t k, const ListPlan &plan,
                                        uint64_t, uint64_t) {
          const SliceTiles &to =
              places[firstSlice[walk.projection->target] + k];
          if (to.bits != 0)
            addService(to.bits,
                       rate *
                           model.serviceOf(plan, walk.projection->convolution),
                       load);
          addLinks(from ? from->tile : to.host, to.tile, rate, load);
        });
      if (from)
        addLinks(from->tile, from->host,
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

  static void addService(uint32_t bits, double time,
                         std::vector<double> &load) {
    for (; bits != 0; bits &= bits - 1)
      load[size_t(__builtin_ctz(bits))] += time;
  }

  /// Tiles as `tiles` has them.
  void addLinks(uint32_t from, uint32_t to, double messages,
                std::vector<double> &load) {
    int8_t &bits = over[size_t(from) * tiles.size() + to];
    if (bits < 0) {
      bits = 0;
      forEachLink(target.mesh, tiles[from], tiles[to],
                  [&](const MeshLink &link) {
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

  /// Where a slice lies, by numbers in `tiles`, and bits of `cores`. Each list
  /// asks, so that it is looked up once.
  struct SliceTiles {
    uint32_t tile = 0, host = 0, bits = 0;
  };

  const MapNetwork &network;
  const Target &target;
  const ChipModel &model;
  const std::vector<std::vector<uint32_t>> &starts;
  const std::vector<uint32_t> &cores;
  const std::vector<MeshLink> &links;
  std::vector<uint32_t> firstSlice; // by population
  uint32_t slices = 0;
  std::vector<double> sums;        // of cores, then of links
  std::vector<LoudSource> loudest; // the same
  std::vector<uint64_t> tiles;     // in use
  std::vector<SliceTiles> places;  // by slice
  /// By two tiles in use, bits of the links between; -1: not known.
  std::vector<int8_t> over;
};

} // namespace

LoudSources loudSources(const MapNetwork &network, const Target &target,
                        const ChipModel &model,
                        const std::vector<std::vector<uint32_t>> &starts,
                        const std::vector<uint32_t> &coreOfSlice,
                        const std::vector<uint32_t> &cores,
                        const std::vector<MeshLink> &links) {
  return Finder(network, target, model, starts, coreOfSlice, cores, links)
      .run();
}

} // namespace dendrolith
