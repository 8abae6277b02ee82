// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/Permute.h"

#include "runtime/host/Workers.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith {

namespace {

bool isOrdered(const NeuronOrder &order, size_t population) {
  return population < order.size() && !order[population].empty();
}

bool isNone(const NeuronOrder &order) {
  return std::all_of(order.begin(), order.end(),
                     [](const auto &of) { return of.empty(); });
}

void checkOrder(const MapNetwork &network, const NeuronOrder &order) {
  for (size_t p = 0; p < order.size(); ++p) {
    if (order[p].empty())
      continue;
    if (p >= network.populations.size())
      throw Error(fmt::format("order: expected one for each of {} populations, "
                              "found one for population {}",
                              network.populations.size(), p));
    const MapPopulation &population = network.populations[p];
    std::vector<char> seen(population.size, 0);
    if (order[p].size() != population.size)
      throw Error(fmt::format("order of population '{}': expected {} neurons, "
                              "found {}",
                              population.name, population.size,
                              order[p].size()));
    for (uint32_t neuron : order[p]) {
      if (neuron >= population.size || seen[neuron])
        throw Error(
            fmt::format("order of population '{}': expected each of {} "
                        "neurons once, found {} {}",
                        population.name, population.size, neuron,
                        neuron < population.size ? "twice" : "among them"));
      seen[neuron] = 1;
    }
  }
}

/// The values of neurons, `each` per neuron, by position.
template <class Value>
void reorder(std::vector<Value> &values, const std::vector<uint32_t> &order,
             uint32_t each) {
  if (values.empty())
    return;
  std::vector<Value> moved;
  moved.reserve(values.size());
  for (uint32_t neuron : order)
    moved.insert(moved.end(), values.begin() + uint64_t(neuron) * each,
                 values.begin() + (uint64_t(neuron) + 1) * each);
  values = std::move(moved);
}

bool hasSameNeeds(const NeuronNeeds &a, const NeuronNeeds &b) {
  return a.program == b.program && a.programWords == b.programWords &&
         a.neuronBytes == b.neuronBytes && a.sliceBytes == b.sliceBytes;
}

void reorder(MapPopulation &population, const std::vector<uint32_t> &order) {
  population.cuts.clear();
  population.grid = {};
  reorder(population.decayProfile, order, 1);
  reorder(population.thresholdProfile, order, 1);
  std::vector<MapRun> runs;
  for (uint32_t at = 0; at < order.size() && !population.runs.empty(); ++at) {
    const NeuronNeeds &needs = population.needsOf(order[at]);
    if (!runs.empty() && hasSameNeeds(runs.back(), needs))
      continue;
    MapRun run;
    static_cast<NeuronNeeds &>(run) = needs;
    run.first = at;
    runs.push_back(run);
  }
  population.runs = std::move(runs);
}

/// A projection whose rows or targets, or both, change their places.
class PermutedRows {
public:
  /// `sources` and `order` are those of the source population, null where it
  /// keeps its order; `positions` is by target neuron and may be null too.
  PermutedRows(const MapProjection &old, const std::vector<uint32_t> *order,
               uint32_t sources, const std::vector<uint32_t> *positions,
               uint32_t accumulators)
      : old(old), order(order), positions(positions), sources(sources),
        accumulators(accumulators) {}

  MapProjection permuted(unsigned threads) const {
    MapProjection made;
    made.fromInput = old.fromInput;
    made.source = old.source;
    made.target = old.target;
    made.delay = old.delay;
    made.weightBits = old.weightBits;
    made.shared = old.shared;
    made.convolution = old.convolution;
    made.kernel = kernel();
    const uint64_t rows = old.begin.size() - 1;
    made.begin.reserve(rows + 1);
    made.begin.push_back(0);
    for (uint64_t row = 0; row < rows; ++row) {
      uint64_t from = oldRow(row);
      made.begin.push_back(made.begin.back() + old.begin[from + 1] -
                           old.begin[from]);
    }
    made.accumulator.resize(old.accumulator.size());
    made.weight.resize(old.weight.size());
    made.delays.resize(old.delays.size());
    // Each thread writes rows of its own, so that how many there are changes
    // nothing.
    const uint64_t parts = std::clamp<uint64_t>(rows / 4096, 1, threads);
    inParallel(parts, threads, [&](size_t t) {
      fill(made, rows * t / parts, rows * (t + 1) / parts);
    });
    return made;
  }

private:
  /// What was said of a target or a source is said of its position.
  MapKernel kernel() const {
    MapKernel made = old.kernel;
    for (size_t n = 0; positions && n < made.channel.size(); ++n) {
      made.channel[(*positions)[n]] = old.kernel.channel[n];
      made.place[(*positions)[n]] = old.kernel.place[n];
    }
    for (size_t row = 0; row < made.inAxon.size(); ++row)
      made.inAxon[row] = old.kernel.inAxon[oldRow(row)];
    return made;
  }

  uint64_t oldRow(uint64_t row) const {
    return order ? uint64_t((*order)[row / sources]) * sources + row % sources
                 : row;
  }

  void fill(MapProjection &made, uint64_t first, uint64_t end) const {
    std::vector<uint64_t> entries; // accumulator and weight, to sort both
    for (uint64_t row = first; row < end; ++row) {
      const uint64_t from = old.begin[oldRow(row)], to = made.begin[row];
      const uint64_t count = made.begin[row + 1] - to;
      if (!positions) {
        std::copy_n(old.accumulator.begin() + from, count,
                    made.accumulator.begin() + to);
        std::copy_n(old.weight.begin() + from, count, made.weight.begin() + to);
        if (!old.delays.empty())
          std::copy_n(old.delays.begin() + from, count,
                      made.delays.begin() + to);
        continue;
      }
      entries.resize(count);
      bool rise = true; // as they mostly do where tiles keep their rows
      for (uint64_t i = 0; i < count; ++i) {
        const uint32_t moved = movedTo(old.accumulator[from + i]);
        entries[i] = uint64_t(moved) << 16 | uint16_t(old.weight[from + i]);
        rise &= i == 0 || entries[i - 1] < entries[i];
      }
      if (!rise)
        std::sort(entries.begin(), entries.end());
      for (uint64_t i = 0; i < count; ++i) {
        made.accumulator[to + i] = uint32_t(entries[i] >> 16);
        made.weight[to + i] = int16_t(uint16_t(entries[i]));
      }
      if (!old.delays.empty())
        moveDelays(made, from, to, count);
    }
  }

  uint32_t movedTo(uint32_t target) const {
    return accumulators == 1
               ? (*positions)[target]
               : (*positions)[target / accumulators] * accumulators +
                     target % accumulators;
  }

  /// Puts the delays of a row in the order of its accumulators.
  void moveDelays(MapProjection &made, uint64_t from, uint64_t to,
                  uint64_t count) const {
    std::vector<std::pair<uint32_t, uint16_t>> moved;
    for (uint64_t i = from; i < from + count; ++i)
      moved.emplace_back(movedTo(old.accumulator[i]), old.delays[i]);
    std::sort(moved.begin(), moved.end());
    for (uint64_t i = 0; i < count; ++i)
      made.delays[to + i] = moved[i].second;
  }

  const MapProjection &old;
  const std::vector<uint32_t> *order, *positions;
  const uint32_t sources, accumulators;
};

/// Everything of the network but its projections, in the new order.
MapNetwork withoutProjections(const MapNetwork &network,
                              const NeuronOrder &order) {
  MapNetwork made;
  made.populations = network.populations;
  made.inputs = network.inputs;
  made.inputRate = network.inputRate;
  made.populationRate = network.populationRate;
  made.period = network.period;
  made.samples = network.samples;
  made.sampledTicks = network.sampledTicks;
  made.inputActivity = network.inputActivity;
  made.populationActivity = network.populationActivity;
  made.hostOutput = network.hostOutput;
  for (size_t p = 0; p < made.populations.size(); ++p) {
    if (!isOrdered(order, p))
      continue;
    reorder(made.populations[p], order[p]);
    if (p < made.populationRate.size())
      reorder(made.populationRate[p], order[p], made.populations[p].sources);
    if (p < made.populationActivity.size())
      reorder(made.populationActivity[p], order[p],
              made.populations[p].sources * made.populations[p].schedule.ticks);
  }
  return made;
}

/// Calls place(index, source order, positions of targets) for each projection;
/// what does not change is null.
template <class Place>
void forEachProjection(const MapNetwork &network, const NeuronOrder &order,
                       Place place) {
  NeuronOrder positions(network.populations.size());
  for (size_t p = 0; p < positions.size(); ++p) {
    if (!isOrdered(order, p))
      continue;
    positions[p].resize(order[p].size());
    for (uint32_t at = 0; at < order[p].size(); ++at)
      positions[p][order[p][at]] = at;
  }
  for (size_t i = 0; i < network.projections.size(); ++i) {
    const MapProjection &old = network.projections[i];
    bool rows = !old.fromInput && isOrdered(order, old.source);
    bool targets = isOrdered(order, old.target);
    place(i, rows ? &order[old.source] : nullptr,
          targets ? &positions[old.target] : nullptr);
  }
}

MapProjection permuted(const MapNetwork &network, const MapProjection &old,
                       const std::vector<uint32_t> *order,
                       const std::vector<uint32_t> *positions,
                       unsigned threads) {
  uint32_t sources =
      old.fromInput ? 1 : network.populations[old.source].sources;
  return PermutedRows(old, order, sources, positions,
                      network.populations[old.target].accumulators)
      .permuted(threads);
}

} // namespace

NeuronOrder compose(const NeuronOrder &first, const NeuronOrder &then) {
  NeuronOrder order = first;
  order.resize(std::max(first.size(), then.size()));
  for (size_t p = 0; p < then.size(); ++p) {
    if (then[p].empty())
      continue;
    const bool isOrdered = p < first.size() && !first[p].empty();
    order[p] = then[p];
    for (uint32_t &neuron : order[p])
      neuron = isOrdered ? first[p][neuron] : neuron;
  }
  if (isNone(order))
    order.clear();
  return order;
}

NeuronOrder invert(const NeuronOrder &order) {
  NeuronOrder positions(order.size());
  for (size_t p = 0; p < order.size(); ++p) {
    positions[p].resize(order[p].size());
    for (uint32_t n = 0; n < order[p].size(); ++n)
      positions[p][order[p][n]] = n;
  }
  return positions;
}

MapNetwork permute(const MapNetwork &network, const NeuronOrder &order,
                   unsigned threads) {
  checkOrder(network, order);
  MapNetwork made = withoutProjections(network, order);
  forEachProjection(
      network, order, [&](size_t i, const auto *rows, const auto *positions) {
        const MapProjection &old = network.projections[i];
        made.projections.push_back(
            rows || positions ? permuted(network, old, rows, positions, threads)
                              : old);
      });
  return made;
}

MapNetwork permute(MapNetwork &&network, const NeuronOrder &order,
                   unsigned threads) {
  checkOrder(network, order);
  MapNetwork made = withoutProjections(network, order);
  forEachProjection(
      network, order, [&](size_t i, const auto *rows, const auto *positions) {
        MapProjection &old = network.projections[i];
        made.projections.push_back(
            rows || positions ? permuted(network, old, rows, positions, threads)
                              : std::move(old));
        old = {};
      });
  return made;
}

Reordered::Reordered(const MapNetwork &network, const NeuronOrder &order,
                     unsigned threads)
    : given(network) {
  if (!isNone(order))
    made = permute(network, order, threads);
}

} // namespace dendrolith
