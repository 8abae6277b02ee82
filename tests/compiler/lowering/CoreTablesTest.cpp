// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of a mapped network, read back as synapses: each source must reach
// exactly the accumulators its projections say.

#include "compiler/lowering/CoreTables.h"

#include "compiler/lowering/FeatureMaps.h"
#include "compiler/mapping/network/Kernels.h"
#include "tests/compiler/mapping/Networks.h"

#include <map>
#include <set>
#include <tuple>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// (population, accumulator, delay, shift) and the weight there.
using Reached = std::map<std::array<uint32_t, 4>, int64_t>;

/// Neurons of several accumulators and sources; weights with zeros and signs.
/// Populations have up to `most` neurons.
LoweredNetwork randomVectors(uint32_t seed, uint32_t most = 40) {
  std::mt19937 random(seed);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  LoweredNetwork network;
  MapNetwork &map = network.map;
  addInput(map, "in", 1 + below(9));
  uint32_t populations = 2 + below(4);
  for (uint32_t p = 0; p < populations; ++p) {
    addPopulation(map, "p" + std::to_string(p), 1 + below(most));
    map.populations[p].accumulators = below(5);
    map.populations[p].sources = below(4);
  }
  for (uint32_t k = 0; k < 3 * populations; ++k) {
    bool fromInput = below(4) == 0;
    uint32_t percent = 1 + below(100);
    MapProjection &p = connect(
        map, fromInput, fromInput ? 0 : below(populations), below(populations),
        [&](uint32_t, uint32_t) -> std::optional<int> {
          if (below(100) >= percent)
            return std::nullopt;
          return int(below(5)) - 2;
        });
    p.delay = below(3);
    p.shared = below(2) == 0;
    if (!p.shared && below(2)) {
      for (size_t i = 0; i < p.weight.size(); ++i)
        p.delays.push_back(uint16_t(below(6)));
      p.delay = 5;
    }
    p.convolution = p.shared && below(2) == 0;
    network.shift.push_back(below(4));
  }
  return network;
}

Reached expected(const LoweredNetwork &network, bool fromInput, uint32_t source,
                 uint32_t element) {
  Reached reached;
  const MapNetwork &map = network.map;
  for (size_t k = 0; k < map.projections.size(); ++k) {
    const MapProjection &p = map.projections[k];
    if (p.fromInput != fromInput || p.source != source)
      continue;
    for (uint64_t i = p.begin[element]; i < p.begin[element + 1]; ++i)
      reached[{p.target, p.accumulator[i], p.delayOf(i), network.shift[k]}] +=
          p.weight[i];
  }
  return reached;
}

const int32_t *shapeOf(const CoreTable &core, size_t list) {
  return &core.shapes.at(size_t(core.lists.at(list)) * 6);
}

/// Adds what one message does. `owner` names the accumulators of a core.
void follow(const CoreTable &core, int32_t axon,
            const std::vector<std::pair<uint32_t, uint32_t>> &owner,
            Reached &reached) {
  ASSERT_LT(size_t(axon) * 4, core.inAxons.size());
  const int32_t *in = &core.inAxons[size_t(axon) * 4];
  ASSERT_LT(size_t(in[0]), core.lists.size());
  const int32_t *shape = shapeOf(core, size_t(in[0]));
  size_t first = 0, firstOffset = 0;
  for (size_t l = 0; l < size_t(in[0]); ++l) {
    const int32_t *before = shapeOf(core, l);
    first += size_t(before[0]);
    firstOffset += before[2] != 0 ? size_t(before[0]) : 0;
  }
  bool sparse = shape[2] != 0;
  for (size_t i = 0; i < size_t(shape[0]); ++i) {
    size_t at =
        size_t(in[1]) + (sparse ? size_t(core.offsets.at(firstOffset + i)) : i);
    ASSERT_LT(at, owner.size());
    const uint32_t later =
        first + i < core.delays.size() ? uint32_t(core.delays[first + i]) : 0;
    reached[{owner[at].first, owner[at].second, uint32_t(in[3]) + later,
             uint32_t(shape[3])}] += core.weights.at(first + i);
  }
}

void dropZeros(Reached &reached) {
  for (auto i = reached.begin(); i != reached.end();)
    i = i->second == 0 ? reached.erase(i) : std::next(i);
}

TEST(CoreTables, SourcesReachTheirAccumulators) {
  Target target = Target::load("loihi2");
  target.limits.compartmentsPerCore = 16;
  uint32_t sparse = 0, dense = 0, synapses = 0;
  Sharing sharing;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    LoweredNetwork network = randomVectors(seed);
    const MapNetwork &map = network.map;
    Fit<Mapping> mapped = mapNetwork(map, target);
    ASSERT_TRUE(mapped);
    const Mapping &mapping = *mapped;
    ChipTables tables = buildTables(network, mapping, target.synapses, 1);
    sharing.sources += tables.sharing.sources;
    sharing.lists += tables.sharing.lists;
    sharing.axons += tables.sharing.axons;
    std::map<int32_t, const CoreTable *> cores;
    std::map<int32_t, std::vector<std::pair<uint32_t, uint32_t>>> owner;
    uint64_t words = 0, axons = 0;
    for (const CoreTable &core : tables.cores) {
      cores[int32_t(core.id)] = &core;
      for (const Slice &slice : core.slices) {
        uint32_t each = map.populations[slice.population].accumulators;
        ASSERT_EQ(slice.base, owner[int32_t(core.id)].size());
        for (uint32_t a = 0; a < slice.count * each; ++a)
          owner[int32_t(core.id)].push_back(
              {slice.population, slice.first * each + a});
      }
      uint64_t own = 0;
      for (size_t l = 0; l < core.lists.size(); ++l) {
        own += uint64_t(shapeOf(core, l)[1]);
        ++(shapeOf(core, l)[2] != 0 ? sparse : dense);
      }
      words = std::max(words, own);
      axons = std::max<uint64_t>(axons, core.inAxons.size() / 4);
    }
    // The mapper's own count of the same tables.
    EXPECT_EQ(row(mapping, "synapse memory").used, words) << seed;
    EXPECT_EQ(row(mapping, "in-axons").used, axons) << seed;
    auto compare = [&](bool fromInput, uint32_t source, const OutAxons &out,
                       size_t size) {
      for (const OutAxons::Part &part : out.parts)
        ASSERT_EQ(part.begin.size(), size + 1);
      for (uint32_t element = 0; element < size; ++element) {
        Reached want = expected(network, fromInput, source, element), got;
        for (auto [core, axon] : out.of(element))
          follow(*cores.at(core), axon, owner[core], got);
        dropZeros(want);
        dropZeros(got);
        EXPECT_EQ(got, want) << seed << " " << source << " " << element;
        synapses += uint32_t(want.size());
      }
    };
    compare(true, 0, tables.inputs[0], map.inputs[0].size);
    for (uint32_t p = 0; p < map.populations.size(); ++p)
      compare(false, p, tables.populations[p],
              size_t(map.populations[p].size) * map.populations[p].sources);
  }
  EXPECT_GT(sparse, 100u);
  EXPECT_GT(dense, 100u);
  EXPECT_GT(synapses, 10000u);
  // Some lists serve several in-axons, some in-axons several sources.
  EXPECT_LT(sharing.lists, sharing.axons);
  EXPECT_LT(sharing.axons, sharing.sources);
  EXPECT_GT(sharing.lists, 100u);
}

// A delay takes the bits of the longest one in each word, and one list has all.
TEST(CoreTables, DelaysInWordsTakeTheirBits) {
  Target target = Target::load("loihi1");
  target.mesh.tilesX = target.mesh.tilesY = target.mesh.coresPerTile = 1;
  LoweredNetwork network;
  addInput(network.map, "in", 1);
  addPopulation(network.map, "p", 64);
  MapProjection &p = dense(network.map, true, 0, 0);
  p.delay = 62;
  network.shift = {0};
  auto wordsOf = [&] {
    Fit<Mapping> mapping = mapNetwork(network.map, target);
    const ChipTables tables =
        buildTables(network, *mapping, target.synapses, 1);
    EXPECT_EQ(tables.cores.at(0).inAxons.size(), 4u);
    EXPECT_EQ(uint64_t(shapeOf(tables.cores[0], 0)[1]),
              row(*mapping, "synapse memory").used);
    return shapeOf(tables.cores[0], 0)[1];
  };
  EXPECT_EQ(wordsOf(), 9); // (64 x 8 + 10) / 64
  for (uint16_t i = 0; i < 64; ++i)
    p.delays.push_back(std::min<uint16_t>(i, 62));
  EXPECT_EQ(wordsOf(), 15); // (64 x 14 + 10) / 64
}

/// An input whose maps a convolution turns into those of a population, which
/// feed another one.
LoweredNetwork randomConvolutions(uint32_t seed) {
  std::mt19937 random(seed);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  LoweredNetwork network;
  dend::Window window;
  window.channels = 1 + below(3);
  window.input = {window.channels, 5 + below(4), 5 + below(4)};
  addInput(network.map, "in", uint32_t(window.sources()));
  for (uint32_t p = 0; p < 2; ++p) {
    window.groups = below(3) ? 1 : window.channels;
    window.channels *= 1 + below(3);
    window.kernel = {
        1 + below(uint32_t(std::min<int64_t>(3, window.input[1]))),
        1 + below(uint32_t(std::min<int64_t>(3, window.input[2])))};
    window.stride = {1 + below(2), 1 + below(3)};
    window.padding = {below(2), below(2), below(2), below(2)};
    addPopulation(network.map, "p" + std::to_string(p),
                  uint32_t(window.targets()));
    std::vector<int> weights;
    for (int64_t w = 0; w < window.weights(); ++w)
      weights.push_back(int(below(9)) - 4);
    std::map<std::pair<int64_t, int64_t>, int> taps;
    window.taps([&](int64_t target, int64_t source, int64_t weight) {
      taps[{source, target}] = weights[size_t(weight)];
    });
    MapProjection &made =
        connect(network.map, p == 0, 0, p,
                [&](uint32_t source, uint32_t target) -> std::optional<int> {
                  const auto tap = taps.find({source, target});
                  return tap == taps.end() ? std::nullopt
                                           : std::optional<int>(tap->second);
                });
    made.shared = made.convolution = true;
    made.kernel = kernelOf(window);
    network.shift.push_back(below(4));
    window.input = {window.channels, window.output(0), window.output(1)};
  }
  return network;
}

/// What kernels take of the core that takes most, and of all cores.
struct KernelUse {
  uint64_t most = 0, all = 0;
};
KernelUse kernelWordsOf(const MapNetwork &map, const Target &target,
                        const std::vector<CoreTable> &cores) {
  KernelUse use;
  for (const CoreTable &core : cores) {
    uint64_t words = 0;
    for (const Slice &slice : core.slices) {
      KernelMeter meter(target.synapses, map.projections[slice.population]);
      for (uint32_t n = 0; n < slice.count; ++n)
        meter.add(slice.first + n);
      words += meter.words();
    }
    use.most = std::max(use.most, words);
    use.all += words;
  }
  return use;
}

// Where cores store kernels, a source sends one message to a slice, and reaches
// what it reaches by lists.
TEST(CoreTables, KernelsReachTheAccumulatorsOfTheirWindows) {
  Target target = Target::load("loihi2");
  uint32_t synapses = 0, shared = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    target.limits.compartmentsPerCore = 8 + 5 * seed;
    LoweredNetwork network = randomConvolutions(seed);
    const Mapping mapping = mapped(network.map, target);
    network.map = permute(network.map, mapping.order);
    const MapNetwork &map = network.map;
    const ChipTables tables =
        buildTables(network, mapping, target.synapses, 1 + seed % 3);
    const KernelUse words = kernelWordsOf(map, target, tables.cores);
    EXPECT_EQ(row(mapping, "synapse memory").used, words.most) << seed;
    EXPECT_EQ(tables.sharing.words, words.all) << seed;
    std::map<int32_t, const CoreTable *> cores;
    std::map<int32_t, std::vector<std::pair<uint32_t, uint32_t>>> owner;
    size_t most = 0;
    for (const CoreTable &core : tables.cores) {
      cores[int32_t(core.id)] = &core;
      for (const Slice &slice : core.slices)
        for (uint32_t n = 0; n < slice.count; ++n)
          owner[int32_t(core.id)].push_back(
              {slice.population, slice.first + n});
      size_t wanted = 0;
      for (const Slice &slice : core.slices)
        wanted += map.projections[slice.population].kernel.inAxons;
      std::set<int32_t> ports;
      for (size_t at = 0; at < core.inAxons.size(); at += 4)
        ports.insert(core.inAxons[at + 2]);
      EXPECT_FALSE(ports.count(0)) << seed;
      EXPECT_LE(ports.size(), wanted) << seed; // no source may meet some
      EXPECT_EQ(ports.upper_bound(int32_t(wanted)), ports.end()) << seed;
      most = std::max(most, wanted);
      shared += core.inAxons.size() > 4 * wanted;
    }
    EXPECT_EQ(row(mapping, "in-axons").used, most) << seed;
    auto compare = [&](bool fromInput, const OutAxons &out, uint32_t size) {
      for (uint32_t element = 0; element < size; ++element) {
        Reached want = expected(network, fromInput, 0, element), got;
        const Messages messages = out.of(element);
        for (auto [core, axon] : messages)
          follow(*cores.at(core), axon, owner[core], got);
        dropZeros(want);
        EXPECT_EQ(got, want) << seed << " " << element;
        EXPECT_LE(messages.size(), mapping.slices.size());
        synapses += uint32_t(want.size());
      }
    };
    compare(true, tables.inputs[0], map.inputs[0].size);
    compare(false, tables.populations[0], map.populations[0].size);
  }
  EXPECT_GT(synapses, 10000u);
  EXPECT_GT(shared, 40u);
}

/// All that a core has, to be compared.
auto contentOf(const CoreTable &core) {
  return std::tie(core.id, core.shapes, core.lists, core.weights, core.offsets,
                  core.delays, core.inAxons);
}

TEST(CoreTables, ThreadsChangeNothing) {
  Target target = Target::load("loihi2");
  target.limits.compartmentsPerCore = 64;
  uint32_t divided = 0;
  for (uint32_t seed = 100; seed < 110; ++seed) {
    LoweredNetwork network = randomVectors(seed, 200);
    const MapNetwork &map = network.map;
    Fit<Mapping> mapping = mapNetwork(map, target);
    ASSERT_TRUE(mapping) << seed;
    ChipTables one = buildTables(network, *mapping, target.synapses, 1);
    ChipTables some = buildTables(network, *mapping, target.synapses, 3);
    ASSERT_EQ(some.cores.size(), one.cores.size());
    for (size_t c = 0; c < one.cores.size(); ++c)
      EXPECT_EQ(contentOf(some.cores[c]), contentOf(one.cores[c]))
          << seed << " " << c;
    for (uint32_t p = 0; p < map.populations.size(); ++p) {
      divided +=
          some.populations[p].parts.size() > one.populations[p].parts.size();
      for (size_t source = 0; source < size_t(map.populations[p].size) *
                                           map.populations[p].sources;
           ++source)
        ASSERT_EQ(some.populations[p].of(source), one.populations[p].of(source))
            << seed << " " << p << " " << source;
    }
    EXPECT_EQ(some.sharing.sources, one.sharing.sources);
    EXPECT_EQ(some.sharing.lists, one.sharing.lists);
    EXPECT_EQ(some.sharing.axons, one.sharing.axons);
    EXPECT_EQ(some.sharing.words, one.sharing.words);
    EXPECT_EQ(some.sharing.unsharedWords, one.sharing.unsharedWords);
  }
  EXPECT_GT(divided, 5u);
}

} // namespace
