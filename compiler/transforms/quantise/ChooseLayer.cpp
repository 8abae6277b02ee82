// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/ChooseLayer.h"

#include "compiler/transforms/quantise/LayerGrid.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace mlir;

namespace dendrolith {
namespace {

/// The sentence of the report.
std::string layerSentence(const LayerFeed &feed,
                          const std::vector<GridRow> &rows,
                          const std::vector<double> &step,
                          const GridChoice &choice,
                          const QuantiserOptions &options) {
  std::set<double> used;
  for (const GridRow &row : rows)
    used.insert(step[row.unit]);
  const std::set<double> distinct(step.begin(), step.end());
  return fmt::format(
      "{} {}, rounded {}, {} of {} weights clipped on purpose, error of the "
      "sums {:.3g} %",
      distinct.size() == 1 ? std::string("step")
                           : fmt::format("{} steps", used.size()),
      options.method == "max" ? "by the largest weight"
                              : "by " + options.method,
      options.rounding == "adaptive" ? "adaptively" : "to nearest",
      choice.clipped, feed.scaled.weight.size(),
      choice.size > 0 ? 100 * std::sqrt(choice.error / choice.size) : 0.0);
}

/// What the mean sum of each target lost, the same for all of a row.
std::vector<double> lostMeans(const LayerFeed &feed, const FeedGrid &grid,
                              const std::vector<double> &now) {
  std::vector<double> lost(size_t(targetElements(feed.project)), 0.0);
  std::vector<Eigen::VectorXd> before, after;
  for (size_t i = 0; i < grid.rows.inputs.size(); ++i) {
    const RowInputs &inputs = grid.rows.inputs[i];
    size_t width = size_t(grid.metrics[i].inputs());
    before.push_back(meanInput(inputs, width, feed.inputs.before->mean));
    after.push_back(meanInput(inputs, width, feed.inputs.now->mean));
  }
  for (const WeightRow &row : grid.rows.rows) {
    double sum = 0;
    for (size_t k = 0; k < row.weights.size(); ++k)
      sum += feed.synapses.weights[row.weights[k]] *
                 before[row.inputs][Eigen::Index(k)] -
             now[row.weights[k]] * after[row.inputs][Eigen::Index(k)];
    for (uint32_t n : row.targets)
      lost[n] = sum * feed.inputs.perUpdate;
  }
  return lost;
}

/// Rounds the weights of a feed, which go to `choices`.
ChosenFeed roundFeed(const LayerFeeds &layer, const LayerFeed &feed,
                     const FeedGrid &grid, const std::vector<double> &step,
                     const QuantiserOptions &options, WeightChoices &choices) {
  GridChoice choice =
      roundRows(grid.grid, step, feed.range, options.rounding == "adaptive");
  ChosenWeights chosen;
  chosen.step = *std::max_element(step.begin(), step.end());
  chosen.mantissas.assign(feed.synapses.weights.size(), 0);
  ChosenFeed result{
      feed.project, std::vector<double>(feed.synapses.weights.size(), 0.0), {}};
  for (size_t r = 0; r < grid.grid.size(); ++r) {
    const WeightRow &row = grid.rows.rows[r];
    const double unit =
        step[grid.grid[r].unit] / layer.gainOf(row.targets.front());
    for (size_t k = 0; k < row.weights.size(); ++k) {
      chosen.mantissas[row.weights[k]] = choice.mantissas[r][k];
      result.weights[row.weights[k]] = double(choice.mantissas[r][k]) * unit;
    }
  }
  if (correctsMeans(feed, options))
    result.lost = lostMeans(feed, grid, result.weights);
  chosen.how = layerSentence(feed, grid.grid, step, choice, options);
  choices.set(feed.project, std::move(chosen));
  return result;
}

/// Records how much finer than the coarsest the steps of neurons are, where
/// they differ.
void setFactors(const LayerFeeds &layer, const std::vector<uint32_t> &unitOf,
                const std::vector<double> &step,
                ArrayRef<std::vector<double>> largest, WeightChoices &choices) {
  dend::PopulationOp population = layer.population;
  NeuronFactors neurons;
  double most = *std::max_element(step.begin(), step.end());
  bool differs = false;
  for (size_t n = 0; n < population.getSize(); ++n) {
    neurons.factor.push_back(most / step[unitOf[n]]);
    differs |= neurons.factor.back() != 1;
  }
  if (!differs)
    return;
  auto magnitudes = [&](int state) {
    return state >= 0 && size_t(state) < largest.size() ? largest[size_t(state)]
                                                        : std::vector<double>();
  };
  neurons.current = magnitudes(layer.shape.synapseState);
  neurons.potential = magnitudes(layer.shape.membraneState);
  choices.set(population, std::move(neurons));
}

} // namespace

FailureOr<std::vector<ChosenFeed>>
chooseLayer(dend::PopulationOp population, const Target &chip,
            const QuantiserOptions &options,
            llvm::function_ref<FeedInputs(dend::ProjectOp)> inputsOf,
            ArrayRef<std::vector<double>> largest, WeightChoices &choices) {
  auto layer = readFeeds(population, chip, inputsOf);
  if (failed(layer))
    return failure();
  std::vector<ChosenFeed> chosen;
  if (layer->feeds.empty())
    return chosen;
  const LayerGrid grid = makeGrid(*layer, options);
  warnOfSilence(*layer, grid);
  const LayerSteps steps = chooseSteps(*layer, grid, chip, options);
  for (size_t k = 0; k < layer->feeds.size(); ++k)
    chosen.push_back(roundFeed(*layer, layer->feeds[k], grid.feeds[k],
                               steps.ofFeed[k], options, choices));
  if (layer->isCuba)
    setFactors(*layer, grid.unitOf, steps.ofNeurons, largest, choices);
  return chosen;
}

namespace {

// The finest step of a layer's neurons is at most so many times finer than the
// coarsest: thresholds have to hold both.
constexpr double kSpread = 64;
// Distinct steps in a layer: with eight little is lost (README.md).
constexpr size_t kDistinctSteps = 8;
// Steps tried where all rows have one, down to an eighth.
constexpr size_t kCommonCandidates = 25, kStepsPerOctave = 8;
// Powers of two that are tried where a port counts in those.
constexpr int kPowers = 5;
// Shifts of one projection against another's, either way.
constexpr int kRelativeShift = 8;
// Weights that "percentile" takes for outliers.
constexpr double kOutliers = 0.001;

/// By all weights but for outliers.
double percentileStep(const LayerFeed &feed) {
  std::vector<double> sizes;
  for (double weight : feed.scaled.weight)
    sizes.push_back(std::fabs(weight));
  size_t at = size_t(double(sizes.size() - 1) * (1 - kOutliers));
  std::nth_element(sizes.begin(), sizes.begin() + ptrdiff_t(at), sizes.end());
  return sizes[at] / double(feed.limit());
}

/// The step of a program's port, which all of its target elements share.
std::vector<double> oneStepPerPort(const LayerFeed &feed,
                                   const std::vector<GridRow> &rows,
                                   size_t units,
                                   const QuantiserOptions &options) {
  const double full = largestPowerStep(feed);
  std::vector<double> candidates{full};
  if (options.method == "percentile")
    while (candidates[0] * 0.5 >= percentileStep(feed))
      candidates[0] *= 0.5;
  if (options.method == "mse" || options.method == "search")
    for (int k = 1; k < kPowers; ++k)
      candidates.push_back(std::ldexp(full, -k));
  return searchSteps(sampledRows(rows), units, candidates, 1, feed.range,
                     options.rounding == "adaptive");
}

/// How many steps the neurons may have: thresholds come in profiles, half of
/// which a layer may take, and the host reads a state in one unit.
size_t distinctSteps(const LayerFeeds &layer, const Target &chip,
                     const QuantiserOptions &options) {
  if (options.thresholdScale == "layer" || !layer.shape.fire)
    return 1;
  dend::PopulationOp population = layer.population;
  auto network = population->getParentOfType<dend::NetworkOp>();
  for (auto output : network.getOps<dend::OutputOp>())
    if (output.getProbe() && output.getPopulation() == population.getSymName())
      return 1;
  const auto profiles = chip.limits.thresholdProfiles;
  size_t most = kDistinctSteps;
  if (profiles)
    most = std::min<size_t>(
        most, *profiles / 2 / std::max<size_t>(layer.distinctThresholds, 1));
  return std::max<size_t>(most, 1);
}

/// The step of each fixed-function neuron, in whose v mantissas of the feed
/// are counted.
std::vector<double> stepsOfNeurons(const LayerFeed &feed,
                                   const std::vector<GridRow> &rows,
                                   size_t units, size_t distinct,
                                   const QuantiserOptions &options) {
  const double full = feed.scaled.largest / double(feed.limit());
  if (options.method == "max")
    return std::vector<double>(units, full);
  if (options.method == "percentile") {
    double step = percentileStep(feed);
    return std::vector<double>(units, step > 0 ? step : full);
  }
  return searchSteps(
      rows, units,
      geometricSteps(full, distinct > 1
                               ? size_t(std::log2(kSpread)) * kStepsPerOctave
                               : kCommonCandidates),
      distinct, feed.range, options.rounding == "adaptive");
}

/// The neurons' steps, shifted by as many bits as lose a feed least.
std::vector<double> shiftedFor(const LayerFeed &feed,
                               const std::vector<GridRow> &rows,
                               const std::vector<double> &step,
                               bool compensating) {
  std::vector<double> best = step;
  double least = std::numeric_limits<double>::infinity();
  for (int shift = -kRelativeShift; shift <= kRelativeShift; ++shift) {
    std::vector<double> shifted = step;
    for (double &value : shifted)
      value = std::ldexp(value, shift);
    double error = roundRows(rows, shifted, feed.range, compensating).error;
    if (error < least) {
      least = error;
      best = shifted;
    }
  }
  return best;
}

} // namespace

LayerSteps chooseSteps(const LayerFeeds &layer, const LayerGrid &grid,
                       const Target &chip, const QuantiserOptions &options) {
  LayerSteps steps;
  const size_t units = grid.unitOf.size();
  if (!layer.isCuba) {
    for (auto [feed, rows] : llvm::zip_equal(layer.feeds, grid.feeds))
      steps.ofFeed.push_back(oneStepPerPort(feed, rows.grid, units, options));
    return steps;
  }
  const auto dominant =
      size_t(std::max_element(layer.feeds.begin(), layer.feeds.end(),
                              [](const LayerFeed &a, const LayerFeed &b) {
                                return a.scaled.largest < b.scaled.largest;
                              }) -
             layer.feeds.begin());
  steps.ofNeurons =
      stepsOfNeurons(layer.feeds[dominant], grid.feeds[dominant].grid, units,
                     distinctSteps(layer, chip, options), options);
  for (size_t k = 0; k < layer.feeds.size(); ++k)
    steps.ofFeed.push_back(k == dominant
                               ? steps.ofNeurons
                               : shiftedFor(layer.feeds[k], grid.feeds[k].grid,
                                            steps.ofNeurons,
                                            options.rounding == "adaptive"));
  return steps;
}

} // namespace dendrolith
