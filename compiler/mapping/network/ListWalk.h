// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of each source of a projection, for a target that is cut into
// slices.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_LISTWALK_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_LISTWALK_H

#include "compiler/mapping/network/Kernels.h"
#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/Network.h"

#include <algorithm>
#include <memory>

namespace dendrolith {

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

  /// Calls visit(slice index in `starts`, plan, begin, end) for each list of
  /// the source, which holds synapses [begin, end). `starts` begin with neuron
  /// 0 and end behind the last one.
  template <class Visit> void forEach(uint32_t source, Visit visit) const {
    forEachIn(projection.begin[source], projection.begin[source + 1], visit);
  }

  /// A walk of which `starts` are some neighbouring slices of all.
  template <class Visit>
  void forEachOfSome(uint32_t source, Visit visit) const {
    const uint32_t *all = projection.accumulator.data();
    const uint32_t *end = all + projection.begin[source + 1];
    const uint32_t *first =
        std::lower_bound(all + projection.begin[source], end, bounds.front());
    forEachIn(first - all, std::lower_bound(first, end, bounds.back()) - all,
              visit);
  }

  size_t slices() const { return bounds.size() - 1; }
  /// Null where lists are stored one by one.
  const KernelWords *kernelWords() const { return kernel.get(); }
  const MapProjection &of() const { return projection; }

private:
  template <class Visit>
  void forEachIn(uint64_t i, uint64_t end, Visit visit) const {
    const uint32_t *all = projection.accumulator.data();
    while (i < end) {
      size_t slice = sliceAt[all[i] / kBlock];
      while (bounds[slice + 1] <= all[i])
        ++slice;
      uint64_t stop = i;
      ListPlan plan;
      if (kernel ? planKernel(all, end, slice, stop, plan)
                 : planNext(all, end, bounds[slice + 1],
                            uint32_t(bounds[slice]), stop, plan))
        visit(slice, plan, i, stop);
      i = stop;
    }
  }

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

  /// The same where cores store the kernel of a convolution.
  bool planKernel(const uint32_t *all, uint64_t end, size_t slice,
                  uint64_t &stop, ListPlan &plan) const {
    const uint64_t begin = stop;
    while (stop < end && all[stop] < bounds[slice + 1])
      ++stop;
    auto found =
        kernel->plan(slice, all + begin, projection.weight.data() + begin,
                     stop - begin, uint32_t(bounds[slice]));
    plan = found.value_or(plan);
    return found.has_value();
  }

  static constexpr uint32_t kBlock = 64;
  const MapProjection &projection;
  const ListPlanner planner;
  const bool contents;
  std::shared_ptr<const KernelWords> kernel;
  std::vector<uint64_t> bounds;  // accumulators where slices begin, and the end
  std::vector<uint32_t> sliceAt; // of every kBlock-th accumulator
};

/// The lists of one projection of a source.
struct ProjectionLists {
  const MapProjection *projection;
  ListWalk lists;
};

/// The lists of each input, or of each population, where populations are split
/// at `starts`. Network and format outlive them. `contents` as in ListWalk.
std::vector<std::vector<ProjectionLists>>
listsBySource(const MapNetwork &network, const SynapseFormat &format,
              const std::vector<std::vector<uint32_t>> &starts, bool fromInput,
              bool contents = false);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_LISTWALK_H
