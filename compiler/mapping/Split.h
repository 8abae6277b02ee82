// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Populations into contiguous slices that each fit a core.

#ifndef NEURITE_COMPILER_MAPPING_SPLIT_H
#define NEURITE_COMPILER_MAPPING_SPLIT_H

#include "compiler/mapping/Demand.h"
#include "compiler/mapping/Fit.h"
#include "compiler/mapping/ListFormat.h"
#include "compiler/mapping/Network.h"

#include <algorithm>

namespace neurite {

/// Where slices begin, by population: rising from 0, closed by the size.
struct Split {
  std::vector<std::vector<uint32_t>> starts;
  /// By slice in order of population: the core that filling cores one after
  /// the other gives. Only from SplitStyle::Tight.
  std::vector<uint32_t> packing;
  /// Whether slices were made equal on the way. If not, SplitStyle::Full gives
  /// the same as SplitStyle::Balanced.
  bool madeEqual = false;
};

enum class SplitStyle {
  Balanced, // as few slices as possible, equal ones where those fit
  Full,     // as few slices as possible, all but the last full
  Tight     // cores filled one after the other, so that slices pack
};

/// One profile a population has to itself when it names none.
uint64_t profileOf(const std::vector<uint32_t> &profiles, uint32_t population,
                   uint32_t neuron);

/// What neurons [first, end) of the population may have in common with others
/// on their core: programs and parameters.
std::vector<Shared> sharedOf(const MapNetwork &network, uint32_t population,
                             uint32_t first, uint32_t end,
                             const EntryBytes &bytes);

/// What makes two lists of different format, as a set member.
uint64_t formatKey(const ListPlan &plan, uint32_t weightBits);

/// The slice that holds `neuron`, which lies in slice `from` or behind it. The
/// lists of a source are mostly in neighbouring slices, so this doubles its
/// steps from there.
inline size_t sliceOf(const std::vector<uint32_t> &starts, uint32_t neuron,
                      size_t from) {
  size_t step = 1;
  while (from + step < starts.size() && starts[from + step] <= neuron) {
    from += step;
    step *= 2;
  }
  auto first = starts.begin() + from;
  auto last = starts.begin() + std::min(from + step, starts.size());
  return std::upper_bound(first, last, neuron) - starts.begin() - 1;
}

/// The lists of a projection whose target population, of `each` accumulators a
/// neuron, is split at `starts` (neurons).
class ListWalk {
public:
  /// `format` and `projection` outlive this. Without `contents` plans say
  /// nothing of the content of lists, which takes time to find.
  ListWalk(const SynapseFormat &format, const MapProjection &projection,
           const std::vector<uint32_t> &starts, uint32_t each, bool contents);

  /// Calls visit(slice index in the target population, plan, begin, end) for
  /// each list of the source, which holds synapses [begin, end).
  template <class Visit> void forEach(uint32_t source, Visit visit) const {
    const uint32_t *all = projection.accumulator.data();
    const uint64_t end = projection.begin[source + 1];
    for (uint64_t i = projection.begin[source]; i < end;) {
      size_t slice = sliceAt[all[i] / kBlock];
      while (bounds[slice + 1] <= all[i])
        ++slice;
      uint64_t stop = i;
      ListPlan plan;
      if (planNext(all, end, bounds[slice + 1], uint32_t(bounds[slice]), stop,
                   plan))
        visit(slice, plan, i, stop);
      i = stop;
    }
  }

private:
  /// Plans the synapses from `stop` on that lie below `bound`, and moves `stop`
  /// behind them. Whether there is a list.
  bool planNext(const uint32_t *all, uint64_t end, uint64_t bound,
                uint32_t start, uint64_t &stop, ListPlan &plan) const {
    const int16_t *weights = projection.weight.data();
    if (contents) {
      const uint64_t begin = stop;
      while (stop < end && all[stop] < bound)
        ++stop;
      auto found = planList(planner, all + begin, weights + begin, stop - begin,
                            start, true);
      plan = found.value_or(plan);
      return found.has_value();
    }
    // Most lists are short and of any length: where one ends is mispredicted,
    // so that is asked but once.
    uint32_t nonZero = 0, first = 0, last = 0;
    do {
      const bool counts = weights[stop] != 0;
      first = nonZero == 0 ? all[stop] : first;
      last = counts ? all[stop] : last;
      nonZero += counts;
      ++stop;
    } while (stop < end && all[stop] < bound);
    if (nonZero > 0)
      plan = planner.plan(nonZero, first - start, last - start);
    return nonZero > 0;
  }

  static constexpr uint32_t kBlock = 64;
  const MapProjection &projection;
  const ListPlanner planner;
  const bool contents;
  std::vector<uint64_t> bounds;  // accumulators where slices begin, and the end
  std::vector<uint32_t> sliceAt; // of every kBlock-th accumulator
};

/// Splits every population. How many out-axons a neuron needs depends on how
/// its targets are split, so this repeats with the needs found until all fit;
/// assumed needs only rise and are bounded by the fan-out, so it ends. A misfit
/// when one neuron alone does not fit a core, or when all cores together have
/// not what the network needs.
Fit<Split> split(const MapNetwork &network, const Target &target,
                 SplitStyle style);

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_SPLIT_H
