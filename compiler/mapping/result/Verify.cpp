// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Verify.h"
#include "compiler/mapping/result/Fans.h"
#include "compiler/mapping/result/Measure.h"
#include "compiler/mapping/result/Misfits.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace dendrolith {

static std::optional<Misfit> delayMisfit(const MapNetwork &network,
                                         const Target &target) {
  if (!target.limits.maxDelay)
    return std::nullopt;
  for (const MapProjection &p : network.projections)
    if (p.delay > *target.limits.maxDelay)
      return Misfit{
          "delay", network.populations[p.target].name, p.delay,
          *target.limits.maxDelay,
          fmt::format(
              "population '{}': a projection from '{}' has a delay of {} "
              "steps, "
              "'{}' has at most {}: what would make it fit is a shorter delay, "
              "another target, or --override-limit max_delay",
              network.populations[p.target].name,
              p.fromInput ? network.inputs[p.source].name
                          : network.populations[p.source].name,
              p.delay, target.name, *target.limits.maxDelay)};
  return std::nullopt;
}

/// Slices of a core may lie in any order but must not overlap, else Error. A
/// misfit if their accumulators do not fit the core.
static std::optional<Misfit> verifyBases(const MapNetwork &network,
                                         const Target &target,
                                         std::vector<Slice> slices) {
  std::stable_sort(
      slices.begin(), slices.end(), [](const Slice &a, const Slice &b) {
        return std::make_pair(a.core, a.base) < std::make_pair(b.core, b.base);
      });
  // A fixed-function neuron has one accumulator, so that where there are no
  // others the limit on neuron slots bounds accumulators too.
  uint64_t limit = target.engines.has("microcode")
                       ? unlimited
                       : Capacity(target).of[NeuronSlots];
  uint64_t end = 0;
  for (size_t i = 0; i < slices.size(); ++i) {
    const Slice &slice = slices[i];
    const std::string &name = network.populations[slice.population].name;
    if (slice.core >= target.numCores())
      throw Error(
          fmt::format("mapping: population '{}' is on core {}, '{}' has "
                      "cores 0 to {}",
                      name, slice.core, target.name, target.numCores() - 1));
    if (i > 0 && slices[i - 1].core == slice.core && slice.base < end)
      throw Error(fmt::format("mapping: core {}: population '{}' starts at "
                              "accumulator {}, the slice before it ends at {}",
                              slice.core, name, slice.base, end));
    end = uint64_t(slice.base) + accumulatorsOf(network, slice);
    if (end > limit)
      return coreMisfit(target, slice.core, NeuronSlots, name, end, limit);
  }
  return std::nullopt;
}

static Resource resourceOf(const FitRow &row) {
  int r = 0;
  while (r + 1 < numResources && row.resource != describe(Resource(r)).name)
    ++r;
  return Resource(r);
}

Fit<std::vector<FitRow>> verify(const MapNetwork &network, const Target &target,
                                const std::vector<Slice> &slices) {
  if (auto misfit = delayMisfit(network, target))
    return std::move(*misfit);
  if (auto misfit = fanInMisfit(network, target))
    return std::move(*misfit);
  if (auto misfit = fanOutMisfit(network, target, slices))
    return std::move(*misfit);
  if (auto misfit = outAxonsMisfit(network, target, slices))
    return std::move(*misfit);
  std::vector<FitRow> rows = measure(network, target, slices);
  if (auto misfit = verifyBases(network, target, slices))
    return std::move(*misfit);
  const FitRow *first = nullptr;
  std::string others; // which the same remedy may not help
  for (const FitRow &row : rows) {
    if (row.limit == 0 || row.used <= row.limit)
      continue;
    if (first)
      others +=
          fmt::format("; core {} needs {} {}, of {}", row.worstCore, row.used,
                      describe(resourceOf(row)).counted, row.limit);
    else
      first = &row;
  }
  if (first)
    return coreMisfit(target, first->worstCore, resourceOf(*first),
                      first->population, first->used, first->limit, others);
  return rows;
}

} // namespace dendrolith
