// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/ChooseLayer.h"

#include "compiler/transforms/quantise/LayerGrid.h"
#include "compiler/transforms/quantise/LayerSteps.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
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

} // namespace dendrolith
