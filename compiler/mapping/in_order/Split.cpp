// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/Split.h"

#include "compiler/mapping/in_order/SliceMeter.h"
#include "compiler/mapping/network/ListWalk.h"
#include "compiler/mapping/result/Misfits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace dendrolith {

namespace {

using Rows = std::vector<std::vector<uint32_t>>; // out-axons, by neuron

class Splitter {
public:
  Splitter(const MapNetwork &network, const Target &target, SplitStyle style)
      : network(network), target(target), capacity(target), style(style),
        meter(network, target.synapses, capacity, EntryBytes(target)) {}

  Fit<Split> run() {
    // To begin with, each population counts as one slice.
    for (const MapPopulation &p : network.populations) {
      result.starts.push_back({0});
      if (p.size > 0)
        result.starts.back().push_back(p.size);
    }
    Rows rows = countRows();
    for (bool isFirst = true;; isFirst = false) {
      if (auto misfit = cut(rows))
        return std::move(*misfit);
      if (isFar()) {
        Misfit misfit = farMisfit(rows);
        misfit.found.noneInOrder = isFirst;
        return misfit;
      }
      Rows found = countRows();
      if (outAxonsFit(rows, found)) {
        result.sender = senderOf(found);
        return std::move(result);
      }
      uint64_t total = 0;
      for (size_t p = 0; p < rows.size(); ++p)
        for (size_t n = 0; n < rows[p].size(); ++n) {
          rows[p][n] = std::max(rows[p][n], found[p][n]);
          total += rows[p][n];
        }
      if (auto misfit = misfitInSum(rows, OutAxons, total, 1))
        return std::move(*misfit);
      if (auto misfit =
              misfitInSum(rows, CoreBytes, total, EntryBytes(target).outAxon))
        return std::move(*misfit);
    }
  }

private:
  /// Whether so many slices are full of the same resource that cutting anew in
  /// this order cannot help. Two neighbouring slices of a population need more
  /// than a core, and needs that are found later only add to the least ones
  /// that are assumed at first. Programs do not count, because slices have them
  /// in common.
  bool isFar() const {
    return *std::max_element(ended.begin(), ended.begin() + ProgramWords) >
           2 * target.numCores();
  }

  /// Names what ended most slices, and the population with most of them.
  Misfit farMisfit(const Rows &rows) const {
    const auto resource = std::max_element(ended.begin(), ended.end());
    size_t most = 0;
    for (size_t p = 1; p < result.starts.size(); ++p)
      if (result.starts[p].size() > result.starts[most].size())
        most = p;
    const auto what = Resource(resource - ended.begin());
    return packingMisfit(
        network, target, what, network.populations[most].name,
        {core, 0, true, false, what == OutAxons ? senderOf(rows) : ""});
  }

  /// The neuron that sends to most slices, if any sends.
  std::string senderOf(const Rows &rows) const {
    uint32_t population = 0, neuron = 0, most = 0;
    for (uint32_t p = 0; p < rows.size(); ++p)
      for (uint32_t n = 0; n < rows[p].size(); ++n)
        if (rows[p][n] > most) {
          population = p, neuron = n;
          most = rows[p][n];
        }
    return most == 0 ? ""
                     : fmt::format("; neuron {} of '{}' alone needs {} of them",
                                   neuron, network.populations[population].name,
                                   most);
  }

  Rows countRows() const {
    Rows rows;
    for (uint32_t p = 0; p < network.populations.size(); ++p)
      rows.emplace_back(network.populations[p].size, network.hostOutputs(p));
    for (const MapProjection &projection : network.projections) {
      if (projection.fromInput)
        continue;
      const std::vector<uint32_t> &starts = result.starts[projection.target];
      std::vector<uint32_t> &of = rows[projection.source];
      uint32_t sources = network.populations[projection.source].sources;
      const ListWalk walk(target.synapses, projection, starts,
                          network.populations[projection.target].accumulators,
                          false);
      for (uint32_t s = 0; s < network.sourceSize(projection); ++s)
        walk.forEach(s, [&](size_t, const ListPlan &, uint64_t, uint64_t) {
          ++of[s / sources];
        });
    }
    return rows;
  }

  /// Assumed needs cut the slices; the needs found may be larger. Where they
  /// share a memory with everything else, they must not be.
  bool outAxonsFit(const Rows &assumed, const Rows &found) const {
    bool shareMemory =
        capacity.of[CoreBytes] != unlimited && EntryBytes(target).outAxon > 0;
    std::vector<uint64_t> used, planned;
    uint32_t slice = 0;
    for (size_t p = 0; p < found.size(); ++p)
      for (size_t k = 0; k + 1 < result.starts[p].size(); ++k, ++slice) {
        uint32_t core =
            style == SplitStyle::Tight ? result.packing[slice] : slice;
        used.resize(std::max<size_t>(used.size(), core + 1), 0);
        planned.resize(used.size(), 0);
        for (uint32_t n = result.starts[p][k]; n < result.starts[p][k + 1];
             ++n) {
          used[core] += found[p][n];
          planned[core] += assumed[p][n];
        }
      }
    for (size_t c = 0; c < used.size(); ++c)
      if (used[c] > capacity.of[OutAxons] ||
          (shareMemory && used[c] > planned[c]))
        return false;
    return true;
  }

  /// Without this a network far too large would be cut ever finer.
  std::optional<Misfit> misfitInSum(const Rows &rows, Resource resource,
                                    uint64_t total, uint64_t each) const {
    uint64_t limit = capacity.of[resource];
    if (limit == unlimited || total * each / target.numCores() <= limit)
      return std::nullopt;
    size_t worst = 0;
    uint64_t most = 0;
    for (size_t p = 0; p < rows.size(); ++p) {
      uint64_t sum = 0;
      for (uint32_t count : rows[p])
        sum += count;
      if (sum > most)
        worst = p, most = sum;
    }
    return packingMisfit(network, target, resource,
                         network.populations[worst].name,
                         {(total * each + limit - 1) / limit, 0, true, false,
                          resource == OutAxons ? senderOf(rows) : ""});
  }

  std::optional<Misfit> cut(const Rows &rows) {
    result.packing.clear();
    carry = Demand();
    core = 0;
    ended = {};
    for (uint32_t p = 0; p < network.populations.size(); ++p) {
      std::vector<uint32_t> &starts = result.starts[p];
      starts = {0};
      uint32_t size = network.populations[p].size;
      while (starts.back() < size) {
        if (auto misfit = cutOne(p, size, rows, starts))
          return misfit;
        if (isFar())
          return std::nullopt; // the rest changes nothing
      }
      if (style == SplitStyle::Balanced && starts.size() > 2 &&
          network.populations[p].cuts.empty())
        balance(p, rows[p], starts);
    }
    return std::nullopt;
  }

  std::optional<Misfit> cutOne(uint32_t p, uint32_t size, const Rows &rows,
                               std::vector<uint32_t> &starts) {
    uint32_t first = starts.back();
    uint32_t count = meter.grow(p, first, size, rows[p], carry);
    bool empty = carry.sums[NeuronSlots] == 0;
    if (count == 0 && empty)
      return neediest(static_cast<Resource>(meter.refusedResource()), rows);
    if (first + count < size) {
      ++ended[size_t(meter.refusedResource())];
      count = toCut(network.populations[p].cuts, first, count);
    }
    if (count > 0) {
      starts.push_back(first + count);
      result.packing.push_back(core);
    }
    if (style == SplitStyle::Tight && first + count == size) {
      carry.add(meter.demand());
    } else {
      carry = Demand();
      ++core;
    }
    return std::nullopt;
  }

  /// The neuron that needs most of a resource that it exceeds alone, so that a
  /// limit of its need serves all.
  Misfit neediest(Resource resource, const Rows &rows) {
    uint32_t population = 0, neuron = 0;
    uint64_t most = 0;
    for (uint32_t p = 0; p < network.populations.size(); ++p)
      for (uint32_t n = 0; n < network.populations[p].size; ++n)
        if (meter.grow(p, n, n + 1, rows[p], Demand()) == 0 &&
            meter.refusedResource() == resource && meter.refusedUse() > most) {
          population = p, neuron = n;
          most = meter.refusedUse();
        }
    return neuronMisfit(target, network.populations[population].name, neuron,
                        resource, most);
  }

  /// Fewer neurons, so that the next slice starts where one should.
  static uint32_t toCut(const std::vector<uint32_t> &cuts, uint32_t first,
                        uint32_t count) {
    auto cut = std::upper_bound(cuts.begin(), cuts.end(), first + count);
    return cut != cuts.begin() && *std::prev(cut) > first
               ? *std::prev(cut) - first
               : count;
  }

  /// Equal slices share the work better than full ones and a rest.
  void balance(uint32_t p, const std::vector<uint32_t> &rows,
               std::vector<uint32_t> &starts) {
    uint64_t slices = starts.size() - 1, size = starts.back();
    std::vector<uint32_t> equal;
    for (uint64_t k = 0; k <= slices; ++k)
      equal.push_back(static_cast<uint32_t>(size * k / slices));
    for (uint64_t k = 0; k < slices; ++k)
      if (meter.grow(p, equal[k], equal[k + 1], rows, Demand()) !=
          equal[k + 1] - equal[k])
        return;
    starts = equal;
    result.madeEqual = true;
  }

  const MapNetwork &network;
  const Target &target;
  Capacity capacity;
  SplitStyle style;
  SliceMeter meter;
  Split result;
  Demand carry; // what the core being filled holds already
  uint32_t core = 0;
  std::array<uint64_t, numResources> ended{}; // slices by what ended them
};

} // namespace

Fit<Split> split(const MapNetwork &network, const Target &target,
                 SplitStyle style) {
  Fit<Split> result = Splitter(network, target, style).run();
  if (result && style != SplitStyle::Tight)
    result->packing.clear();
  return result;
}

} // namespace dendrolith
