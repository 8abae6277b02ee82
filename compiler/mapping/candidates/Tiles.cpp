// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Tiles.h"

#include "compiler/mapping/network/Demand.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace dendrolith {

namespace {

/// Where part k of `parts` equal ones begins.
uint32_t border(uint32_t size, uint32_t k, uint32_t parts) {
  return uint32_t(uint64_t(size) * k / parts);
}

/// Into how many parts rows and columns are divided.
std::pair<uint32_t, uint32_t> divide(const MapGrid &grid, uint32_t parts) {
  using Rank = std::tuple<uint32_t, uint32_t, uint32_t>;
  Rank best{~0u, 0, 0};
  std::pair<uint32_t, uint32_t> chosen{grid.rows, grid.columns};
  for (uint32_t down = 1; down <= std::min(parts, grid.rows); ++down) {
    const uint32_t across = (parts + down - 1) / down;
    if (across > grid.columns)
      continue;
    const uint32_t height = (grid.rows + down - 1) / down;
    const uint32_t width = (grid.columns + across - 1) / across;
    // A longer border costs more than a few tiles more.
    Rank rank{(height + width) * 16 + (down * across - parts), down * across,
              down};
    if (rank < best) {
      best = rank;
      chosen = {down, across};
    }
  }
  return chosen;
}

bool isFeatureMaps(const MapPopulation &population) {
  return population.grid.channels > 0 && population.runs.empty();
}

/// The most sources that reach a tile.
uint64_t mostSources(const MapNetwork &network, uint32_t population,
                     const Tiles &tiles) {
  std::vector<uint32_t> tileOf(tiles.order.size());
  for (uint32_t t = 0; t + 1 < tiles.starts.size(); ++t)
    for (uint32_t at = tiles.starts[t]; at < tiles.starts[t + 1]; ++at)
      tileOf[tiles.order[at]] = t;
  std::vector<uint64_t> sources(tiles.starts.size()), last(sources.size());
  uint64_t source = 0;
  for (const MapProjection &projection : network.projections) {
    if (projection.target != population || projection.kernel)
      continue; // the sources of a kernel have its in-axons in common
    const uint32_t each = network.populations[population].accumulators;
    for (size_t s = 0; s + 1 < projection.begin.size(); ++s) {
      ++source;
      for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i) {
        const uint32_t tile = tileOf[projection.accumulator[i] / each];
        sources[tile] += last[tile] != source;
        last[tile] = source;
      }
    }
  }
  return *std::max_element(sources.begin(), sources.end());
}

uint32_t largestOf(const Tiles &tiles) {
  uint32_t most = 0;
  for (size_t t = 0; t + 1 < tiles.starts.size(); ++t)
    most = std::max(most, tiles.starts[t + 1] - tiles.starts[t]);
  return most;
}

/// Rows and columns that a slice spans.
struct Box {
  uint32_t top = ~0u, left = ~0u, bottom = 0, right = 0; // ends included
  uint32_t rows() const { return bottom - top + 1; }
  uint32_t columns() const { return right - left + 1; }
};

Box boxOf(const MapGrid &grid, const uint32_t *neurons, uint32_t count) {
  Box box;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t y = neurons[i] / grid.columns % grid.rows;
    const uint32_t x = neurons[i] % grid.columns;
    box.top = std::min(box.top, y), box.bottom = std::max(box.bottom, y);
    box.left = std::min(box.left, x), box.right = std::max(box.right, x);
  }
  return box;
}

} // namespace

Tiles tilesOf(const MapGrid &grid, uint32_t parts) {
  const auto [down, across] = divide(grid, std::max(parts, 1u));
  Tiles tiles;
  for (uint32_t i = 0; i < down; ++i)
    for (uint32_t j = 0; j < across; ++j) {
      tiles.starts.push_back(uint32_t(tiles.order.size()));
      for (uint32_t c = 0; c < grid.channels; ++c)
        for (uint32_t y = border(grid.rows, i, down);
             y < border(grid.rows, i + 1, down); ++y)
          for (uint32_t x = border(grid.columns, j, across);
               x < border(grid.columns, j + 1, across); ++x)
            tiles.order.push_back((c * grid.rows + y) * grid.columns + x);
    }
  tiles.starts.push_back(uint32_t(tiles.order.size()));
  return tiles;
}

bool hasFeatureMaps(const MapNetwork &network) {
  return std::any_of(network.populations.begin(), network.populations.end(),
                     isFeatureMaps);
}

NeuronOrder orderInTiles(const MapNetwork &network, SliceStarts &starts) {
  NeuronOrder order(network.populations.size());
  for (size_t p = 0; p < order.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    const auto parts = uint32_t(starts[p].size() - 1);
    if (!isFeatureMaps(population) || parts < 2)
      continue;
    Tiles tiles = tilesOf(population.grid, parts);
    order[p] = std::move(tiles.order);
    starts[p] = std::move(tiles.starts);
  }
  return order;
}

NeuronOrder orderInFewestTiles(const MapNetwork &network, const Target &target,
                               SliceStarts &cuts) {
  constexpr uint64_t kLargest = 4096; // where neuron slots have no limit
  const Capacity capacity(target);
  const uint64_t slots = std::min(capacity.of[NeuronSlots], kLargest);
  NeuronOrder order(network.populations.size());
  cuts.assign(order.size(), {});
  for (uint32_t p = 0; p < order.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    if (!isFeatureMaps(population))
      continue;
    const uint32_t places = population.grid.rows * population.grid.columns;
    auto parts = uint32_t(std::min<uint64_t>(
        (population.size + slots - 1) / std::max<uint64_t>(slots, 1), places));
    Tiles tiles = tilesOf(population.grid, parts);
    while (tiles.starts.size() - 1 < places &&
           (largestOf(tiles) > slots ||
            mostSources(network, p, tiles) > capacity.of[InAxons])) {
      parts = std::min(std::max(parts + 1, parts * 9 / 8), places);
      tiles = tilesOf(population.grid, parts);
    }
    order[p] = std::move(tiles.order);
    tiles.starts.pop_back();
    cuts[p] = std::move(tiles.starts);
  }
  return order;
}

std::string tilesAmong(const MapNetwork &network, const NeuronOrder &order,
                       const std::vector<Slice> &slices) {
  std::string text;
  for (uint32_t p = 0; p < order.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    if (order[p].empty() || !isFeatureMaps(population))
      continue;
    const MapGrid &grid = population.grid;
    uint32_t tiles = 0, rows = 0, columns = 0;
    bool isTiled = true;
    for (const Slice &slice : slices) {
      if (slice.population != p)
        continue;
      const Box box = boxOf(grid, &order[p][slice.first], slice.count);
      isTiled =
          isTiled && slice.count == grid.channels * box.rows() * box.columns();
      rows = std::max(rows, box.rows());
      columns = std::max(columns, box.columns());
      ++tiles;
    }
    if (isTiled)
      text += fmt::format("{}{}: {} tiles of up to {} x {} of {} x {}",
                          text.empty() ? "" : ", ", population.name, tiles,
                          rows, columns, grid.rows, grid.columns);
  }
  return text;
}

} // namespace dendrolith
