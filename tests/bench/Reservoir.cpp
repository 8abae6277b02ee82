// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/bench/Reservoir.h"

#include "compiler/mapping/cluster/Random.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dendrolith {

namespace {

constexpr double kLength = 0.01;    // of the weight exp(-0.5 (d / length)^2)
constexpr double kFar = 0.01;       // of the targets
constexpr double kBack = 0.1;       // of the neurons face the other way
constexpr double kVariation = 1.58; // of rates, whose median is 1

/// Draws that follow one another.
class Draws {
public:
  explicit Draws(uint64_t seed) : seed(seed) {}
  double uniform() { // above 0 and below 1
    return (double(cluster::hashOf(seed, counter++) >> 12) + 0.5) * 0x1p-52;
  }
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) *
           std::cos(2 * std::acos(-1.0) * uniform());
  }
  /// Counts the events of a Poisson process in a time of `mean`.
  uint32_t poisson(double mean) {
    uint32_t events = 0;
    for (double left = mean + std::log(uniform()); left > 0;
         left += std::log(uniform()))
      ++events;
    return events;
  }

private:
  const uint64_t seed;
  uint64_t counter = 0;
};

struct Neuron {
  std::array<double, 3> at;
  bool back;
};

/// Neurons by cell of the cube.
class Grid {
public:
  explicit Grid(const std::vector<Neuron> &neurons)
      : across(std::max(int(std::cbrt(double(neurons.size()) / 6)), 1)),
        cell(size_t(across) * across * across) {
    for (uint32_t i = 0; i < neurons.size(); ++i) {
      const auto [x, y, z] = cellOf(neurons[i]);
      cell[(size_t(x) * across + y) * across + z].push_back(i);
    }
  }
  std::array<int, 3> cellOf(const Neuron &neuron) const {
    std::array<int, 3> found;
    for (int a = 0; a < 3; ++a)
      found[a] = std::min(int(neuron.at[a] * across), across - 1);
    return found;
  }
  /// Those in cells that are exactly `reach` away.
  template <class Visit>
  void shell(const std::array<int, 3> &from, int reach, Visit visit) const {
    for (int x = from[0] - reach; x <= from[0] + reach; ++x)
      for (int y = from[1] - reach; y <= from[1] + reach; ++y)
        for (int z = from[2] - reach; z <= from[2] + reach; ++z) {
          const int away =
              std::max({std::abs(x - from[0]), std::abs(y - from[1]),
                        std::abs(z - from[2])});
          if (away != reach || std::min({x, y, z}) < 0 ||
              std::max({x, y, z}) >= across)
            continue;
          for (uint32_t i : cell[(size_t(x) * across + y) * across + z])
            visit(i);
        }
  }

  const int across;

private:
  std::vector<std::vector<uint32_t>> cell;
};

/// Draws without replacement by weight: those with the least exponential draw
/// over weight, which is compared by its logarithm.
class Targets {
public:
  Targets(const std::vector<Neuron> &neurons, uint64_t seed)
      : neurons(neurons), grid(neurons), seed(seed) {}

  void near(uint32_t source, size_t count, std::vector<uint32_t> &targets) {
    keys.clear();
    const Neuron &from = neurons[source];
    const std::array<int, 3> cell = grid.cellOf(from);
    for (int reach = 0; reach < grid.across; ++reach) {
      grid.shell(cell, reach, [&](uint32_t i) {
        const Neuron &to = neurons[i];
        const double ahead = (to.at[2] - from.at[2]) * (to.back ? -1 : 1);
        if (i == source || ahead < 0)
          return;
        double square = 0;
        for (int a = 0; a < 3; ++a)
          square += (to.at[a] - from.at[a]) * (to.at[a] - from.at[a]);
        Draws draws(cluster::hashOf(seed, source) + i);
        keys.push_back({std::log(-std::log(draws.uniform())) +
                            0.5 * square / (kLength * kLength),
                        i});
      });
      if (keys.size() <= count)
        continue;
      // Whatever lies beyond is behind even with the least draw of all.
      std::nth_element(keys.begin(), keys.begin() + std::ptrdiff_t(count),
                       keys.end());
      const double next = double(reach) / grid.across / kLength;
      if (0.5 * next * next - 25 > keys[count].first)
        break;
    }
    for (size_t k = 0; k < std::min(count, keys.size()); ++k)
      targets.push_back(keys[k].second);
  }

private:
  const std::vector<Neuron> &neurons;
  const Grid grid;
  const uint64_t seed;
  std::vector<std::pair<double, uint32_t>> keys;
};

} // namespace

MapNetwork reservoir(uint32_t size, double fanOut, uint64_t seed) {
  MapNetwork network;
  MapPopulation population;
  population.name = "neurons";
  population.size = size;
  network.populations.push_back(population);
  network.populationRate.emplace_back();
  Draws draws(seed);
  std::vector<Neuron> neurons(size);
  for (Neuron &neuron : neurons) {
    for (double &at : neuron.at)
      at = draws.uniform();
    neuron.back = draws.uniform() < kBack;
    const double sigma = std::sqrt(std::log(1 + kVariation * kVariation));
    network.populationRate[0].push_back(std::exp(sigma * draws.normal()));
  }
  Targets targets(neurons, cluster::hashOf(seed, 1));
  MapProjection projection;
  projection.begin = {0};
  std::vector<uint32_t> row;
  for (uint32_t s = 0; s < size; ++s) {
    row.clear();
    const uint32_t count = draws.poisson(fanOut);
    const auto far = uint32_t(std::lround(kFar * count));
    targets.near(s, count - far, row);
    for (uint32_t k = 0; k < far; ++k)
      if (auto t = uint32_t(draws.uniform() * size); t != s)
        row.push_back(t);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    projection.accumulator.insert(projection.accumulator.end(), row.begin(),
                                  row.end());
    projection.begin.push_back(projection.accumulator.size());
  }
  projection.weight.assign(projection.accumulator.size(), 1);
  network.projections.push_back(std::move(projection));
  return network;
}

} // namespace dendrolith
