// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerGrid.h"

#include "compiler/transforms/network/Refusal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

namespace {

using Eigen::Index;

// A unit is not tried at steps that clip its weights to less than this share,
// unless the layer has a single step.
constexpr double kLeastShare = 0.15;
// An additional step has to lower the error by this.
constexpr double kWorthwhile = 0.001;
// Multiplications that the search may spend on correlated errors; beyond it
// inputs count as independent while steps are searched.
constexpr double kSearchWork = 4e9;

constexpr size_t kSampledRows = 64;

struct Rounded {
  Mantissas mantissas;
  double error = 0;
};

Rounded roundRow(const GridRow &row, double step, MantissaRange range,
                 bool compensating) {
  Rounded best;
  best.mantissas = roundNearest(row.weights, step, range);
  best.error = row.metric->error(difference(best.mantissas, step, row.weights));
  if (!compensating || !row.metric->isFactorised())
    return best;
  Rounded other;
  other.mantissas = row.metric->compensate(row.weights, step, range);
  other.error =
      row.metric->error(difference(other.mantissas, step, row.weights));
  return other.error < best.error ? other : best;
}

int64_t reach(MantissaRange range) { return std::max(range.high, -range.low); }

} // namespace

GridChoice roundRows(const std::vector<GridRow> &rows,
                     const std::vector<double> &step, MantissaRange range,
                     bool compensating) {
  GridChoice choice;
  choice.step = step;
  for (const GridRow &row : rows) {
    Rounded rounded = roundRow(row, step[row.unit], range, compensating);
    choice.error += row.importance * rounded.error;
    choice.size += row.importance * row.metric->error(row.weights);
    double limit = (double(reach(range)) + 0.5) * step[row.unit];
    choice.clipped += uint64_t((row.weights.array().abs() > limit).count());
    choice.mantissas.push_back(std::move(rounded.mantissas));
  }
  return choice;
}

std::vector<double> searchSteps(const std::vector<GridRow> &rows, size_t units,
                                const std::vector<double> &candidates,
                                size_t distinct, MantissaRange range,
                                bool compensating) {
  const double limit = double(std::max<int64_t>(reach(range), 1));
  std::vector<double> fullStep(units, 0.0);
  double work = 0;
  for (const GridRow &row : rows) {
    double largest = row.weights.size() ? row.weights.cwiseAbs().maxCoeff() : 0;
    fullStep[row.unit] = std::max(fullStep[row.unit], largest / limit);
    work += double(row.weights.size()) * double(row.weights.size()) *
            double(candidates.size()) * (compensating ? 2 : 1);
  }
  const bool simple = work > kSearchWork;
  // Errors by unit and candidate.
  const size_t count = candidates.size();
  std::vector<double> error(units * count, 0.0);
  for (const GridRow &row : rows)
    for (size_t c = 0; c < count; ++c) {
      double &sum = error[row.unit * count + c];
      if (distinct > 1 && candidates[c] < kLeastShare * fullStep[row.unit]) {
        sum = std::numeric_limits<double>::infinity();
        continue;
      }
      if (simple) {
        Eigen::VectorXd off =
            difference(roundNearest(row.weights, candidates[c], range),
                       candidates[c], row.weights);
        sum += row.importance * row.metric->independentError(off);
        continue;
      }
      sum += row.importance *
             roundRow(row, candidates[c], range, compensating).error;
    }
  std::vector<double> best(units, std::numeric_limits<double>::infinity());
  std::vector<double> step(units, candidates.front());
  double total = std::numeric_limits<double>::infinity();
  for (size_t taken = 0; taken < std::max<size_t>(distinct, 1); ++taken) {
    size_t winner = count;
    double least = total;
    for (size_t c = 0; c < count; ++c) {
      double sum = 0;
      for (size_t u = 0; u < units; ++u)
        sum += std::min(best[u], error[u * count + c]);
      if (sum < least) {
        least = sum;
        winner = c;
      }
    }
    if (winner == count || (taken > 0 && std::isfinite(total) &&
                            least > (1 - kWorthwhile) * total))
      break;
    total = least;
    for (size_t u = 0; u < units; ++u)
      if (error[u * count + winner] < best[u]) {
        best[u] = error[u * count + winner];
        step[u] = candidates[winner];
      }
  }
  return step;
}

std::vector<GridRow> sampledRows(const std::vector<GridRow> &rows) {
  const size_t count = std::min(rows.size(), kSampledRows);
  std::vector<GridRow> some;
  for (size_t i = 0; i < count; ++i)
    some.push_back(rows[i * rows.size() / count]);
  return some;
}

std::vector<double> geometricSteps(double largest, size_t count) {
  std::vector<double> steps;
  for (size_t i = 0; i < count; ++i)
    steps.push_back(largest * std::exp2(-double(i) / 8));
  return steps;
}

} // namespace dendrolith
