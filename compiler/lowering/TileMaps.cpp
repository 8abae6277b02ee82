// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/TileMaps.h"

#include "compiler/lowering/Reorder.h"
#include "compiler/mapping/Demand.h"

#include "dialects/dend/NetworkIndex.h"

#include <fmt/format.h>

#include <algorithm>

using namespace mlir;

namespace neurite {
namespace {

// The bound where a target has no limit on neuron slots.
constexpr uint64_t kLargestTile = 4096;

std::vector<dend::Window> windowsInto(dend::PopulationOp population) {
  std::vector<dend::Window> windows;
  for (dend::ProjectOp project : dend::projectionsInto(population)) {
    if (auto pool = dyn_cast<dend::PoolAttr>(project.getSynapses()))
      windows.push_back(dend::windowOf(pool));
    auto conv = dyn_cast<dend::ConvAttr>(project.getSynapses());
    auto weight =
        conv
            ? dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr())
            : dend::ConstantOp();
    if (weight)
      windows.push_back(dend::windowOf(
          conv, cast<RankedTensorType>(weight.getType()).getShape()));
  }
  return windows;
}

/// Sources that a tile of height x width targets reads.
uint64_t sourcesOf(const dend::Window &window, int64_t height, int64_t width) {
  int64_t extent[] = {height, width}, sources = window.input[0];
  for (int axis : {0, 1})
    sources *=
        std::min(window.input[axis + 1],
                 (extent[axis] - 1) * window.stride[axis] +
                     (window.kernel[axis] - 1) * window.dilation[axis] + 1);
  return uint64_t(sources);
}

struct TileOrder {
  std::vector<uint32_t> neuron; // at each position: tile, channel, y, x
  std::vector<uint32_t> starts; // positions where tiles start, rising
  std::string text;             // "8 x 8 of 64 x 64"
};

/// Nothing for a population that no convolution or pooling feeds.
std::optional<TileOrder> tileOrder(dend::PopulationOp population,
                                   const Target &chip) {
  std::vector<dend::Window> windows = windowsInto(population);
  if (windows.empty())
    return std::nullopt;
  const int64_t channels = windows[0].channels, rows = windows[0].output(0),
                columns = windows[0].output(1);
  Capacity capacity(chip);
  uint64_t most = std::min(capacity.of[NeuronSlots], kLargestTile);
  int64_t height = 1, width = 1, fewest = rows * columns;
  for (int64_t h = 1; h <= rows; ++h)
    for (int64_t w = 1; w <= columns; ++w) {
      uint64_t sources = 0;
      for (const dend::Window &window : windows)
        sources += sourcesOf(window, h, w);
      if (uint64_t(channels * h * w) > most || sources > capacity.of[InAxons])
        break;
      int64_t tiles = ((rows + h - 1) / h) * ((columns + w - 1) / w);
      if (tiles < fewest || (tiles == fewest && h + w < height + width)) {
        fewest = tiles;
        height = h;
        width = w;
      }
    }
  TileOrder order;
  order.text = fmt::format("{} x {} of {} x {}", height, width, rows, columns);
  for (int64_t top = 0; top < rows; top += height)
    for (int64_t left = 0; left < columns; left += width) {
      order.starts.push_back(uint32_t(order.neuron.size()));
      for (int64_t c = 0; c < channels; ++c)
        for (int64_t y = top; y < std::min(top + height, rows); ++y)
          for (int64_t x = left; x < std::min(left + width, columns); ++x)
            order.neuron.push_back(uint32_t((c * rows + y) * columns + x));
    }
  return order;
}

} // namespace

MapGrid gridOf(dend::PopulationOp population) {
  std::vector<dend::Window> windows = windowsInto(population);
  if (windows.empty())
    return {};
  return {uint32_t(windows[0].channels), uint32_t(windows[0].output(0)),
          uint32_t(windows[0].output(1))};
}

bool tileMaps(LoweredNetwork &network, const Target &chip) {
  NeuronOrder order(network.populations.size());
  std::vector<std::vector<uint32_t>> cuts(order.size());
  for (size_t p = 0; p < order.size(); ++p) {
    const MapPopulation &mapped = network.map.populations[p];
    if (!mapped.runs.empty())
      continue;
    std::optional<TileOrder> tiles = tileOrder(network.populations[p].op, chip);
    if (!tiles)
      continue;
    network.tiles +=
        (network.tiles.empty() ? "" : ", ") + mapped.name + ": " + tiles->text;
    order[p] = std::move(tiles->neuron);
    cuts[p] = std::move(tiles->starts);
  }
  if (network.tiles.empty())
    return false;
  reorder(network, order);
  for (size_t p = 0; p < cuts.size(); ++p)
    if (!cuts[p].empty())
      network.map.populations[p].cuts = std::move(cuts[p]);
  return true;
}

} // namespace neurite
