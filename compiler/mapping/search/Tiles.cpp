// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Tiles.h"

#include <algorithm>
#include <tuple>

namespace neurite {

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
                     [](const MapPopulation &population) {
                       return population.grid.channels > 0 &&
                              population.runs.empty();
                     });
}

NeuronOrder orderInTiles(const MapNetwork &network, Starts &starts) {
  NeuronOrder order(network.populations.size());
  for (size_t p = 0; p < order.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    const auto parts = uint32_t(starts[p].size() - 1);
    if (population.grid.channels == 0 || !population.runs.empty() || parts < 2)
      continue;
    Tiles tiles = tilesOf(population.grid, parts);
    order[p] = std::move(tiles.order);
    starts[p] = std::move(tiles.starts);
  }
  return order;
}

} // namespace neurite
