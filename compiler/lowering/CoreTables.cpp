// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/CoreTables.h"

#include "compiler/mapping/ListFormat.h"

#include "runtime/Tables.h"

#include <algorithm>
#include <map>

namespace neurite {
namespace {

/// Synapses of one source that fall into a slice.
struct Range {
  const uint32_t *accumulators;
  const int16_t *weights;
  size_t size;
};

Range synapsesIn(const MapProjection &projection, uint32_t source,
                 uint32_t first, uint32_t count) {
  auto all = projection.accumulator.begin();
  auto from = all + projection.begin[source];
  auto to = all + projection.begin[source + 1];
  auto low = std::lower_bound(from, to, first);
  auto high = std::lower_bound(low, to, first + count);
  size_t at = low - all;
  return {projection.accumulator.data() + at, projection.weight.data() + at,
          static_cast<size_t>(high - low)};
}

/// Appends a list to the core's memory and returns its number.
int32_t storeList(CoreTable &core, const ListPlan &plan, const Range &range,
                  uint32_t sliceFirst, uint32_t shift,
                  const MapProjection &projection) {
  int32_t list = static_cast<int32_t>(core.lists.size() / 8);
  int32_t first = static_cast<int32_t>(core.weights.size());
  int32_t firstOffset = static_cast<int32_t>(core.offsets.size());
  uint32_t start = sliceFirst + plan.firstOffset;
  if (plan.sparse) {
    for (size_t k = 0; k < range.size; ++k)
      if (range.weights[k] != 0) {
        core.weights.push_back(range.weights[k]);
        core.offsets.push_back(
            static_cast<int32_t>(range.accumulators[k] - start));
      }
  } else {
    core.weights.resize(first + plan.count, 0);
    for (size_t k = 0; k < range.size; ++k)
      if (range.weights[k] != 0)
        core.weights[first + range.accumulators[k] - start] = range.weights[k];
  }
  for (int32_t value :
       {first, static_cast<int32_t>(plan.count), plan.sparse ? firstOffset : 0,
        static_cast<int32_t>(plan.words),
        static_cast<int32_t>(!plan.sparse             ? ListKind::Dense
                             : projection.convolution ? ListKind::Conv
                                                      : ListKind::Sparse),
        static_cast<int32_t>(shift),
        static_cast<int32_t>(projection.weightBits),
        static_cast<int32_t>(plan.indexBits)})
    core.lists.push_back(value);
  return list;
}

/// The lists and in-axons that the sources of one projection have in one slice.
class SliceLists {
public:
  SliceLists(CoreTable &core, const Slice &slice, uint32_t first,
             const MapProjection &projection, uint32_t shift, Sharing &sharing)
      : core(core), slice(slice), first(first), projection(projection),
        shift(shift), sharing(sharing) {}

  /// The in-axon that serves a source.
  int32_t axonFor(const ListPlan &plan, const Range &range) {
    if (!projection.shared)
      return addAxon(store(plan, range), plan);
    std::vector<int32_t> content;
    for (size_t k = 0; k < range.size; ++k)
      if (range.weights[k] != 0) {
        content.push_back(
            int32_t(range.accumulators[k] - first - plan.firstOffset));
        content.push_back(range.weights[k]);
      }
    ++sharing.sources;
    sharing.unsharedWords += plan.words;
    auto [list, isNew] = lists.emplace(std::move(content), 0);
    if (isNew) {
      list->second = store(plan, range);
      ++sharing.lists;
      sharing.words += plan.words;
    }
    auto [axon, isNewAxon] =
        axons.emplace(std::make_pair(list->second, plan.firstOffset), 0);
    if (isNewAxon) {
      axon->second = addAxon(list->second, plan);
      ++sharing.axons;
    }
    return axon->second;
  }

private:
  int32_t store(const ListPlan &plan, const Range &range) {
    return storeList(core, plan, range, first, shift, projection);
  }
  int32_t addAxon(int32_t list, const ListPlan &plan) {
    int32_t axon = static_cast<int32_t>(core.inAxons.size() / 4);
    for (int32_t value :
         {list, static_cast<int32_t>(slice.base + plan.firstOffset), 0,
          static_cast<int32_t>(projection.delay)})
      core.inAxons.push_back(value);
    return axon;
  }

  CoreTable &core;
  const Slice &slice;
  uint32_t first; // accumulator of the population
  const MapProjection &projection;
  uint32_t shift;
  Sharing &sharing;
  std::map<std::vector<int32_t>, int32_t> lists;
  std::map<std::pair<int32_t, uint32_t>, int32_t> axons;
};

} // namespace

ChipTables buildTables(const LoweredNetwork &network, const Mapping &mapping,
                       const SynapseFormat &format) {
  const MapNetwork &map = network.map;
  ChipTables tables;
  for (const MapInput &input : map.inputs)
    tables.inputs.emplace_back().rows.resize(input.size);
  for (const MapPopulation &population : map.populations)
    tables.populations.emplace_back().rows.resize(size_t(population.size) *
                                                  population.sources);
  for (const Slice &slice : mapping.slices) {
    if (tables.cores.empty() || tables.cores.back().id != slice.core)
      tables.cores.emplace_back().id = slice.core;
    tables.cores.back().slices.push_back(slice);
  }
  for (CoreTable &core : tables.cores)
    for (size_t p = 0; p < map.projections.size(); ++p) {
      const MapProjection &projection = map.projections[p];
      OutAxons &out = projection.fromInput
                          ? tables.inputs[projection.source]
                          : tables.populations[projection.source];
      std::vector<SliceLists> lists;
      std::vector<std::pair<uint32_t, uint32_t>> ranges; // first, count
      for (const Slice &slice : core.slices)
        if (slice.population == projection.target) {
          uint32_t each = map.populations[slice.population].accumulators;
          ranges.push_back({slice.first * each, slice.count * each});
          lists.emplace_back(core, slice, slice.first * each, projection,
                             network.shift[p], tables.sharing);
        }
      for (uint32_t source = 0; source < out.rows.size(); ++source)
        for (size_t s = 0; s < lists.size(); ++s) {
          auto [first, count] = ranges[s];
          Range range = synapsesIn(projection, source, first, count);
          auto plan =
              planList(format, range.accumulators, range.weights, range.size,
                       first, projection.weightBits, projection.shared);
          if (plan)
            out.rows[source].push_back({static_cast<int32_t>(core.id),
                                        lists[s].axonFor(*plan, range)});
        }
    }
  // A source may come to an in-axon that an earlier one had made.
  for (auto *sources : {&tables.inputs, &tables.populations})
    for (OutAxons &out : *sources)
      for (auto &rows : out.rows)
        std::sort(rows.begin(), rows.end());
  return tables;
}

} // namespace neurite
