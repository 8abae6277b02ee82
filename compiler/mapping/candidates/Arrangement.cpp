// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Arrangement.h"

#include "compiler/mapping/network/ListWalk.h"

#include <algorithm>
#include <cmath>

namespace dendrolith {

double Arrangement::workOf(size_t slice) const {
  return std::max(steps.mean(steps.update, slice),
                  steps.mean(steps.receive, slice));
}

/// Adds where neurons [first, end) begin that are halved until none of the
/// slices has more than `most`.
static void addHalves(uint32_t first, uint32_t end, uint64_t most,
                      std::vector<uint32_t> &starts) {
  if (end - first <= std::max<uint64_t>(most, 1))
    return starts.push_back(first);
  const uint32_t middle = first + (end - first) / 2;
  addHalves(first, middle, most, starts);
  addHalves(middle, end, most, starts);
}

/// Halves slices that have more neurons than a core has slots, whatever else
/// they take.
static SliceStarts halvedToSlots(const SliceStarts &given, uint64_t slots) {
  SliceStarts starts(given.size());
  for (size_t p = 0; p < given.size(); ++p) {
    for (size_t k = 0; k + 1 < given[p].size(); ++k)
      addHalves(given[p][k], given[p][k + 1], slots, starts[p]);
    starts[p].push_back(given[p].back());
  }
  return starts;
}

/// Whether feature maps that are cut so need more out-axons than all cores have
/// together. A slice that is cut is one more target of its sources, so cutting
/// again only needs more. The check saves time, because lists that may be
/// shared take long to plan. Without feature maps the answer is no.
static bool isBeyondAllOutAxons(const MapNetwork &network, const Target &target,
                                const SliceStarts &starts) {
  const uint64_t ofCore = Capacity(target).of[OutAxons];
  if (ofCore == unlimited ||
      std::none_of(network.projections.begin(), network.projections.end(),
                   [](const MapProjection &each) { return each.shared; }))
    return false;
  uint64_t lists = 0;
  for (const MapProjection &projection : network.projections) {
    if (projection.fromInput)
      continue;
    const ListWalk walk(target.synapses, projection, starts[projection.target],
                        network.populations[projection.target].accumulators,
                        /*contents=*/false);
    for (uint32_t source = 0; source < network.sourceSize(projection); ++source)
      walk.forEach(source, [&](size_t, const ListPlan &, uint64_t, uint64_t) {
        ++lists;
      });
  }
  return lists > ofCore * target.numCores();
}

std::optional<Arrangement> arrange(const MapNetwork &network,
                                   const Target &target, const ChipModel &model,
                                   SliceStarts starts, bool *outOfAxons) {
  const Capacity capacity(target);
  Arrangement made;
  starts = halvedToSlots(starts, capacity.of[NeuronSlots]);
  // How many lists a source has depends on the cuts of its targets, so that
  // halves of a slice may exceed a core again; a few rounds decide.
  for (int round = 0; round < 6; ++round) {
    if (isBeyondAllOutAxons(network, target, starts)) {
      if (outOfAxons)
        *outOfAxons = true;
      return std::nullopt;
    }
    made.graph =
        buildSliceGraph(network, target.synapses, starts, EntryBytes(target));
    bool fits = true;
    for (size_t s = made.graph.slices.size(); s-- > 0;) {
      const SliceGraph::Range &slice = made.graph.slices[s];
      const int scarce = exceeded(Demand(), made.graph.demand[s], capacity);
      if (scarce == numResources)
        continue;
      if (outOfAxons && scarce == OutAxons)
        *outOfAxons = true;
      if (slice.count == 1)
        return std::nullopt;
      fits = false;
      std::vector<uint32_t> &of = starts[slice.population];
      halve(of, size_t(std::lower_bound(of.begin(), of.end(), slice.first) -
                       of.begin()));
    }
    if (!fits)
      continue;
    made.steps = buildStepGraph(network, target.synapses, starts, model);
    made.starts = std::move(starts);
    return made;
  }
  return std::nullopt;
}

namespace {

/// The cores that slices fill if none has more work than `most`.
std::optional<std::vector<uint32_t>> fill(const Arrangement &arrangement,
                                          const Capacity &capacity,
                                          const std::vector<double> &work,
                                          uint32_t cores, double most) {
  std::vector<uint32_t> core;
  Demand held;
  double busy = 0;
  uint32_t at = 0;
  for (size_t s = 0; s < work.size(); ++s) {
    const Demand &demand = arrangement.graph.demand[s];
    bool fits = busy + work[s] <= most &&
                exceeded(held, demand, capacity) == numResources;
    if (s > 0 && !fits) {
      held = Demand();
      busy = 0;
      if (++at == cores)
        return std::nullopt;
    }
    held.add(demand);
    busy += work[s];
    core.push_back(at);
  }
  return core;
}

} // namespace

std::optional<std::vector<uint32_t>>
pack(const Arrangement &arrangement, const Capacity &capacity, uint32_t cores) {
  std::vector<double> work(arrangement.graph.slices.size());
  double total = 0, largest = 0;
  for (size_t s = 0; s < work.size(); ++s) {
    work[s] = arrangement.workOf(s);
    total += work[s];
    largest = std::max(largest, work[s]);
  }
  double most = std::max(largest, total / cores) * (1 + 1e-9);
  for (; most < total; most *= 1.05)
    if (auto packed = fill(arrangement, capacity, work, cores, most))
      return packed;
  return fill(arrangement, capacity, work, cores, total * 2 + 1);
}

WorkSums sumUp(const std::vector<std::vector<double>> &loads) {
  WorkSums sums;
  for (const std::vector<double> &of : loads) {
    sums.push_back({0});
    for (double load : of)
      sums.back().push_back(sums.back().back() + load);
  }
  return sums;
}

namespace {

uint32_t partsOf(const std::vector<double> &sums, uint32_t least, double most) {
  const auto size = uint32_t(sums.size() - 1);
  // On a chip without times nothing takes any work.
  const double parts = most > 0 ? std::ceil(sums.back() / most - 1e-9) : 0;
  return uint32_t(
      std::clamp<double>(parts, std::min(std::max(least, 1u), size), size));
}

/// How many cores parts of at most `most` fill, one core after the other.
uint64_t coresFilled(const WorkSums &all, const std::vector<uint32_t> &least,
                     double most) {
  uint64_t cores = 0;
  double room = 0;
  for (size_t p = 0; p < all.size(); ++p) {
    if (all[p].size() < 2)
      continue;
    const uint32_t parts = partsOf(all[p], least[p], most);
    const double each = all[p].back() / parts;
    if (each <= 0) {
      cores = std::max<uint64_t>(cores, 1);
      continue;
    }
    // So many of them share a core.
    const double fits = std::max(1.0, std::floor(most / each + 1e-9));
    const double here = std::min<double>(std::floor(room / each + 1e-9), parts);
    const double rest = parts - here;
    room -= here * each;
    if (rest > 0) {
      const double more = std::ceil(rest / fits);
      cores += uint64_t(more);
      room = most - (rest - (more - 1) * fits) * each;
    }
  }
  return cores;
}

std::vector<uint32_t> equalParts(const std::vector<double> &sums,
                                 uint32_t parts) {
  const auto size = uint32_t(sums.size() - 1);
  std::vector<uint32_t> starts{0};
  for (uint32_t k = 1; k < parts; ++k) {
    const double wanted = sums.back() * k / parts;
    auto at = uint32_t(std::lower_bound(sums.begin(), sums.end(), wanted) -
                       sums.begin());
    if (at > 0 && wanted - sums[at - 1] < sums[at] - wanted)
      --at;
    // No part is empty, whatever the neurons' work is.
    starts.push_back(std::clamp(at, starts.back() + 1, size - (parts - k)));
  }
  starts.push_back(size);
  return starts;
}

} // namespace

SliceStarts cutByWork(const WorkSums &sums, const std::vector<uint32_t> &least,
                      uint32_t cores) {
  double total = 0;
  for (const std::vector<double> &of : sums)
    total += of.back();
  double most = total / std::max(cores, 1u);
  // Too much for a core only where populations cannot be cut as one would like.
  for (int round = 0; round < 200 && coresFilled(sums, least, most) > cores;
       ++round)
    most *= 1.02;
  SliceStarts starts;
  for (size_t p = 0; p < sums.size(); ++p)
    starts.push_back(
        sums[p].size() < 2
            ? std::vector<uint32_t>{0}
            : equalParts(sums[p], partsOf(sums[p], least[p], most)));
  return starts;
}

void halve(std::vector<uint32_t> &starts, size_t k) {
  starts.insert(starts.begin() + std::ptrdiff_t(k) + 1,
                starts[k] + (starts[k + 1] - starts[k]) / 2);
}

} // namespace dendrolith
