// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/CoreTables.h"

#include "compiler/mapping/ListFormat.h"

#include "runtime/Tables.h"

#include <algorithm>

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
                  uint32_t sliceFirst, uint32_t shift, uint32_t weightBits) {
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
        static_cast<int32_t>(plan.sparse ? ListKind::Sparse : ListKind::Dense),
        static_cast<int32_t>(shift), static_cast<int32_t>(weightBits),
        static_cast<int32_t>(plan.indexBits)})
    core.lists.push_back(value);
  return list;
}

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
      for (uint32_t source = 0; source < out.rows.size(); ++source)
        for (const Slice &slice : core.slices) {
          if (slice.population != projection.target)
            continue;
          uint32_t each = map.populations[slice.population].accumulators;
          uint32_t first = slice.first * each;
          Range range =
              synapsesIn(projection, source, first, slice.count * each);
          auto plan = planList(format, range.accumulators, range.weights,
                               range.size, first, projection.weightBits);
          if (!plan)
            continue;
          int32_t list = storeList(core, *plan, range, first, network.shift[p],
                                   projection.weightBits);
          int32_t axon = static_cast<int32_t>(core.inAxons.size() / 4);
          for (int32_t value :
               {list, static_cast<int32_t>(slice.base + plan->firstOffset), 0,
                static_cast<int32_t>(projection.delay)})
            core.inAxons.push_back(value);
          out.rows[source].push_back({static_cast<int32_t>(core.id), axon});
        }
    }
  return tables;
}

} // namespace neurite
