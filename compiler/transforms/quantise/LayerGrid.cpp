// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerGrid.h"

#include "compiler/transforms/network/Warn.h"

#include "fmt/format.h"

#include <numeric>

using namespace mlir;

namespace dendrolith {
namespace {

/// Neurons whose rows are shared in some projection have one step; those of
/// programs are all alone, for their ports have one step anyway.
void groupNeurons(const LayerFeeds &layer, LayerGrid &grid) {
  dend::PopulationOp population = layer.population;
  size_t targets = population.getSize();
  for (const LayerFeed &feed : layer.feeds)
    targets = std::max(targets, size_t(targetElements(feed.project)));
  for (const LayerFeed &feed : layer.feeds)
    grid.feeds.emplace_back().rows =
        rowsOf(feed.synapses, size_t(targetElements(feed.project)));
  std::vector<uint32_t> &unitOf = grid.unitOf;
  unitOf.resize(targets);
  std::iota(unitOf.begin(), unitOf.end(), 0u);
  if (!layer.isCuba)
    return;
  bool changed = true;
  while (changed) {
    changed = false;
    for (const FeedGrid &feed : grid.feeds)
      for (const WeightRow &row : feed.rows.rows) {
        uint32_t least = unitOf[row.targets.front()];
        for (uint32_t n : row.targets)
          least = std::min(least, unitOf[n]);
        for (uint32_t n : row.targets) {
          changed |= unitOf[n] != least;
          unitOf[n] = least;
        }
      }
  }
}

void addMetrics(const LayerFeed &feed, const QuantiserOptions &options,
                FeedGrid &grid) {
  const bool weighted =
      options.method == "search" || options.rounding == "adaptive";
  const bool centred = correctsMeans(feed, options);
  std::vector<size_t> width(grid.rows.inputs.size(), 0);
  for (const WeightRow &row : grid.rows.rows)
    width[row.inputs] = row.weights.size();
  bool silent = false;
  for (size_t i = 0; i < width.size(); ++i) {
    InputMetric metric = InputMetric::identity(Eigen::Index(width[i]));
    if (weighted && feed.inputs.now) {
      InputMetric seen =
          metricOf(grid.rows.inputs[i], width[i], *feed.inputs.now, centred);
      silent |= seen.silent() && width[i] > 0;
      if (!seen.silent())
        metric = std::move(seen);
    }
    if (options.rounding == "adaptive")
      metric.factorise();
    grid.metrics.push_back(std::move(metric));
  }
  grid.silent = silent && width.size() == 1;
}

void addRows(const LayerFeeds &layer, const LayerFeed &feed,
             const std::vector<uint32_t> &unitOf, FeedGrid &into) {
  for (const WeightRow &row : into.rows.rows) {
    GridRow &grid = into.grid.emplace_back();
    grid.weights.resize(Eigen::Index(row.weights.size()));
    for (size_t k = 0; k < row.weights.size(); ++k)
      grid.weights[Eigen::Index(k)] = feed.scaled.weight[row.weights[k]];
    grid.metric = &into.metrics[row.inputs];
    grid.unit = unitOf[row.targets.front()];
    // Neurons count alike, by the share of what they receive that is lost:
    // those that receive little may be the ones that tell classes apart.
    double size = grid.metric->error(grid.weights);
    if (layer.isCuba && layer.shape.fire && size > 0)
      grid.importance = 1 / size;
  }
}

} // namespace

LayerGrid makeGrid(const LayerFeeds &layer, const QuantiserOptions &options) {
  LayerGrid grid;
  groupNeurons(layer, grid);
  for (auto [feed, into] : llvm::zip_equal(layer.feeds, grid.feeds)) {
    addMetrics(feed, options, into);
    addRows(layer, feed, grid.unitOf, into);
  }
  return grid;
}

void warnOfSilence(const LayerFeeds &layer, const LayerGrid &grid) {
  dend::PopulationOp population = layer.population;
  for (auto [feed, of] : llvm::zip_equal(layer.feeds, grid.feeds)) {
    dend::ProjectOp project = feed.project;
    if (of.silent)
      warn(population->getParentOfType<dend::NetworkOp>(),
           {"silent-source", placeOfLayer(population.getSymName()),
            fmt::format("nothing arrives from '{}' on the calibration samples; "
                        "its weights are rounded by themselves",
                        project.getSource().str())});
  }
}

bool correctsMeans(const LayerFeed &feed, const QuantiserOptions &options) {
  return options.correctBias && feed.inputs.before && feed.inputs.perUpdate > 0;
}

} // namespace dendrolith
