// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/ListFiller.h"

#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/ListWalk.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>

namespace dendrolith {
namespace {

/// Synapses of one source that fall into a slice.
struct SynapseRange {
  const uint32_t *accumulators;
  const int16_t *weights;
  size_t size;
  const uint16_t *delays = nullptr; // null: all have the projection's

  /// The first one from `at` on whose weight is not zero; `size` if none is.
  size_t next(size_t at) const {
    while (at < size && weights[at] == 0)
      ++at;
    return at;
  }
};

/// Notes the delays of a list's entries, which are the last of the core's
/// weights, where they stand in words.
void storeDelays(CoreRows &core, const ListPlan &plan,
                 const SynapseRange &range, uint32_t start) {
  core.delays.resize(core.weights.size());
  int16_t *delays = core.delays.data() + core.delays.size() - plan.count;
  size_t entry = 0;
  for (size_t k = range.next(0); k < range.size; k = range.next(k + 1)) {
    const size_t at = plan.sparse ? entry++ : range.accumulators[k] - start;
    delays[at] = static_cast<int16_t>(range.delays[k]);
  }
}

/// Appends a list to the core's memory and returns its number.
int32_t storeList(CoreRows &core, const ListPlan &plan,
                  const SynapseRange &range, uint32_t sliceFirst,
                  uint32_t shift, const MapProjection &projection) {
  uint32_t start = sliceFirst + plan.firstOffset;
  int16_t *weights = core.weights.add(plan.count);
  if (plan.sparse) {
    int32_t *offsets = core.offsets.add(plan.count);
    for (size_t k = 0; k < range.size; ++k)
      if (range.weights[k] != 0) {
        *weights++ = range.weights[k];
        *offsets++ = static_cast<int32_t>(range.accumulators[k] - start);
      }
  } else {
    std::fill_n(weights, plan.count, int16_t(0));
    for (size_t k = 0; k < range.size; ++k)
      if (range.weights[k] != 0)
        weights[range.accumulators[k] - start] = range.weights[k];
  }
  if (range.delays)
    storeDelays(core, plan, range, start);
  SynapseList shape;
  shape.count = plan.count;
  shape.words = static_cast<uint32_t>(plan.words);
  shape.kind = !plan.sparse             ? ListKind::Dense
               : projection.convolution ? ListKind::Conv
                                        : ListKind::Sparse;
  shape.shift = static_cast<uint8_t>(shift);
  shape.weightBits = static_cast<uint8_t>(projection.weightBits);
  shape.indexBits = static_cast<uint8_t>(plan.indexBits);
  const auto list = static_cast<int32_t>(core.lists.size());
  *core.lists.add(1) =
      static_cast<int32_t>(core.shapes.codeOf(ListShape(shape)));
  return list;
}

/// The table of a core that has slices; cores have rising ids.
CoreTable &tableOf(ChipTables &tables, uint32_t id) {
  return *std::lower_bound(
      tables.cores.begin(), tables.cores.end(), id,
      [](const CoreTable &core, uint32_t wanted) { return core.id < wanted; });
}

class Filler {
public:
  Filler(const LoweredNetwork &network, size_t index,
         const SynapseFormat &format, llvm::ArrayRef<Slice> targets,
         ChipTables &tables)
      : projection(network.map.projections[index]), format(format),
        planner(format, projection.weightBits, projection.shared),
        shift(network.shift[index]),
        each(network.map.populations[projection.target].accumulators) {
    for (const Slice &slice : targets) {
      std::unique_ptr<CoreRows> &core = cores[slice.core];
      if (!core)
        core = std::make_unique<CoreRows>(tableOf(tables, slice.core));
      slices.push_back({&slice, core.get(), {}, {}, 0});
      slices.back().axons.resize(std::max(projection.kernel.inAxons, 1u));
      if (projection.kernel)
        slices.back().firstPort =
            core->addKernelAxons(projection.kernel.inAxons);
      starts.push_back(slice.first);
    }
    starts.push_back(targets.back().first + targets.back().count);
  }

  Sharing run(OutAxons::Part &out) {
    const ListWalk walk(format, projection, starts, each, /*contents=*/true);
    if (!projection.shared)
      makeRoom();
    if (const KernelWords *kernel = walk.kernelWords())
      for (size_t k = 0; k < slices.size(); ++k) {
        sharing.lists += kernel->lists(k);
        sharing.words += kernel->stored(k);
        sharing.axons += projection.kernel.inAxons;
      }
    Messages messages; // of the source
    const auto sources = uint32_t(projection.begin.size() - 1);
    for (uint32_t source = 0; source < sources; ++source) {
      messages.clear();
      walk.forEachOfSome(source, [&](size_t k, const ListPlan &plan,
                                     uint64_t begin, uint64_t end) {
        Placed &to = slices[k];
        SynapseRange range{
            projection.accumulator.data() + begin,
            projection.weight.data() + begin, size_t(end - begin),
            projection.delays.empty() ? nullptr
                                      : projection.delays.data() + begin};
        int32_t axon = projection.shared
                           ? sharedAxon(to, plan, range, portOf(to, source))
                           : addAxon(to, plan, add(to, plan, range), 0);
        messages.push_back({static_cast<int32_t>(to.core->id), axon});
      });
      out.add(messages);
    }
    for (auto &core : cores)
      core.second->finish();
    return sharing;
  }

private:
  /// A stored list, and the synapses that it was made from.
  struct Shared {
    int32_t list;
    SynapseRange range;
    uint64_t words;
  };
  struct Placed {
    const Slice *slice;
    CoreRows *core;
    // A projection that shares has lists by the number of their content, and
    // in-axons by list and base. Numbers may be those of several contents.
    std::unordered_multimap<uint64_t, Shared> lists;
    // Those of each in-axon of a kernel are apart.
    std::vector<std::unordered_map<uint64_t, int32_t>> axons;
    int32_t firstPort; // of the kernel's in-axons; 0 where there are none
  };

  int32_t portOf(const Placed &to, uint32_t source) const {
    const MapKernel &kernel = projection.kernel;
    return !kernel ? 0
                   : to.firstPort +
                         (kernel.inAxon.empty() ? 0 : kernel.inAxon[source]);
  }

  /// So that the tables, which are much of all memory, seldom move: lists are
  /// at most as many as synapses, and only zeros are stored beside these.
  void makeRoom() {
    std::vector<uint32_t> sliceAt; // by accumulator
    for (uint32_t k = 0; k < slices.size(); ++k)
      sliceAt.resize(size_t(starts[k + 1]) * each, k);
    std::vector<size_t> synapses(slices.size());
    for (uint32_t accumulator : projection.accumulator)
      if (accumulator >= starts.front() * each && accumulator < sliceAt.size())
        ++synapses[sliceAt[accumulator]];
    for (size_t k = 0; k < slices.size(); ++k) {
      CoreRows &core = *slices[k].core;
      core.lists.reserve(synapses[k]);
      core.inAxons.reserve(4 * synapses[k]);
      core.weights.reserve(synapses[k]);
      core.offsets.reserve(synapses[k]);
    }
  }

  int32_t add(Placed &to, const ListPlan &plan, const SynapseRange &range) {
    return storeList(*to.core, plan, range, to.slice->first * each, shift,
                     projection);
  }

  int32_t addAxon(Placed &to, const ListPlan &plan, int32_t list,
                  int32_t port) {
    auto &inAxons = to.core->inAxons;
    auto axon = static_cast<int32_t>(inAxons.size() / 4);
    const int32_t row[4] = {
        list, static_cast<int32_t>(to.slice->base + plan.firstOffset), port,
        static_cast<int32_t>(projection.delays.empty() ? projection.delay : 0)};
    std::memcpy(inAxons.add(4), row, sizeof row);
    return axon;
  }

  int32_t sharedAxon(Placed &to, const ListPlan &plan,
                     const SynapseRange &range, int32_t port) {
    ++sharing.sources;
    sharing.unsharedWords += wordsAlone(plan, range);
    int32_t list = known(to, plan, range);
    if (list < 0) {
      list = add(to, plan, range);
      to.lists.emplace(plan.content, Shared{list, range, plan.words});
      sharing.lists += port == 0;
      sharing.words += port ? 0 : plan.words;
    }
    auto [axon, isNewAxon] = to.axons[size_t(port - to.firstPort)].emplace(
        uint64_t(list) << 32 | plan.firstOffset, 0);
    if (isNewAxon) {
      axon->second = addAxon(to, plan, list, port);
      sharing.axons += port == 0;
    }
    return axon->second;
  }

  /// What the list takes that one source has for itself.
  uint64_t wordsAlone(const ListPlan &plan, const SynapseRange &range) const {
    if (!projection.kernel)
      return plan.words;
    size_t last = range.size - 1;
    while (range.weights[last] == 0)
      --last;
    const uint32_t reach =
        range.accumulators[last] - range.accumulators[range.next(0)];
    return planner.plan(plan.count, plan.firstOffset, plan.firstOffset + reach)
        .words;
  }

  /// The stored list of so many words with these weights at these targets,
  /// counted from the first one; -1 if there is none.
  static int32_t known(const Placed &to, const ListPlan &plan,
                       const SynapseRange &range) {
    const auto [first, end] = to.lists.equal_range(plan.content);
    for (auto each = first; each != end; ++each)
      if (each->second.words == plan.words && isSame(each->second.range, range))
        return each->second.list;
    return -1;
  }

  static bool isSame(const SynapseRange &a, const SynapseRange &b) {
    size_t i = a.next(0), j = b.next(0);
    // Neither has only zeros: that would be no list.
    const uint32_t apart = b.accumulators[j] - a.accumulators[i];
    while (i < a.size && j < b.size) {
      if (a.weights[i] != b.weights[j] ||
          b.accumulators[j] - a.accumulators[i] != apart)
        return false;
      i = a.next(i + 1);
      j = b.next(j + 1);
    }
    return i == a.size && j == b.size;
  }

  const MapProjection &projection;
  const SynapseFormat &format;
  const ListPlanner planner;
  const uint32_t shift, each;
  Sharing sharing;
  std::map<uint32_t, std::unique_ptr<CoreRows>> cores; // that it fills, by id
  std::vector<Placed> slices;   // of the target, in order of neurons
  std::vector<uint32_t> starts; // theirs, closed by the size
};

} // namespace

Sharing fillLists(const LoweredNetwork &network, size_t projection,
                  const SynapseFormat &format, llvm::ArrayRef<Slice> targets,
                  ChipTables &tables, OutAxons::Part &messages) {
  return Filler(network, projection, format, targets, tables).run(messages);
}

} // namespace dendrolith
