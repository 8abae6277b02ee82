// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/ChooseLayer.h"

#include "compiler/transforms/network/Warn.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerBits.h"
#include "compiler/transforms/quantise/ModelKinds.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"
#include "compiler/transforms/quantise/StepSearch.h"

#include "dialects/dend/NetworkIndex.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace mlir;

namespace neurite {
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

struct Feed {
  dend::ProjectOp project;
  SynapseArrays<double> synapses;
  WeightRows rows;
  std::vector<InputMetric> metrics; // by WeightRows::inputs
  std::vector<GridRow> grid;        // by row
  MantissaRange range;
  ProjectionWeights scaled; // in the units of the grid
  double unit = 1;          // the source's payload, where it is known
  FeedInputs inputs;
};

class LayerChooser {
public:
  LayerChooser(dend::PopulationOp population, const Target &chip,
               const QuantiserOptions &options, unsigned inputBits)
      : population(population), chip(chip), options(options),
        inputBits(inputBits), gain(population.getSize(), 1.0) {}

  /// Reads the population; `any` says whether there is something to choose.
  LogicalResult read(llvm::function_ref<FeedInputs(dend::ProjectOp)> inputsOf,
                     bool &any) {
    any = false;
    isCuba = kindOf(population) == ModelKind::Cuba;
    if (isCuba && failed(readGains()))
      return failure();
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      poolingToConvolution(project);
      if (!project.getWeightAttr()) {
        // The others' steps would have to be multiples of it.
        if (isCuba)
          return success();
        continue;
      }
      auto feed = readFeed(project, inputsOf(project));
      if (failed(feed))
        return failure();
      if (feed->scaled.largest == 0 || (!isCuba && isExact(*feed)))
        continue;
      feeds.push_back(std::move(*feed));
    }
    any = !feeds.empty() &&
          !(isCuba && std::all_of(feeds.begin(), feeds.end(),
                                  [&](const Feed &f) { return isExact(f); }));
    return success();
  }

  std::vector<ChosenFeed> choose(ArrayRef<std::vector<double>> largest,
                                 WeightChoices &choices) {
    groupNeurons();
    for (Feed &feed : feeds)
      prepare(feed);
    std::vector<ChosenFeed> chosen;
    if (!isCuba) {
      std::iota(unitOf.begin(), unitOf.end(), 0u);
      for (Feed &feed : feeds)
        chosen.push_back(take(feed, oneStepPerPort(feed), choices));
      return chosen;
    }
    auto dominant = std::max_element(
        feeds.begin(), feeds.end(), [](const Feed &a, const Feed &b) {
          return a.scaled.largest < b.scaled.largest;
        });
    std::vector<double> step = stepsOf(*dominant);
    // By how many bits the others' steps are shifted against it.
    for (Feed &feed : feeds) {
      std::vector<double> best = step;
      if (&feed != &*dominant) {
        double least = std::numeric_limits<double>::infinity();
        for (int shift = -kRelativeShift; shift <= kRelativeShift; ++shift) {
          std::vector<double> shifted = step;
          for (double &value : shifted)
            value = std::ldexp(value, shift);
          double error = roundRows(feed.grid, shifted, feed.range,
                                   options.rounding == "adaptive")
                             .error;
          if (error < least) {
            least = error;
            best = shifted;
          }
        }
      }
      chosen.push_back(take(feed, best, choices));
    }
    setFactors(step, largest, choices);
    return chosen;
  }

private:
  /// Gains into v, and how many thresholds there are.
  LogicalResult readGains() {
    dend::NeuronOp model = dend::modelOf(population);
    auto shape = matchCuba(model, population);
    if (failed(shape))
      return failure();
    auto reals = readCubaReals(*shape, model, population);
    if (failed(reals))
      return failure();
    this->shape = *shape;
    std::set<double> heights;
    for (size_t n = 0; n < gain.size(); ++n) {
      gain[n] = reals->gainI[n] * reals->gainV[n];
      if (shape->fire)
        heights.insert(reals->theta[n] - reals->resetTo[n]);
    }
    distinctThresholds = heights.size();
    return success();
  }

  FailureOr<Feed> readFeed(dend::ProjectOp project, FeedInputs inputs) {
    Feed feed;
    feed.project = project;
    feed.inputs = inputs;
    auto synapses = readSynapses<double>(project);
    if (failed(synapses))
      return failure();
    feed.scaled = {};
    if (!scale(*synapses, feed.scaled)) {
      if (failed(spreadWeights(project)) ||
          failed(synapses = readSynapses<double>(project)))
        return failure();
      feed.scaled = {};
      scale(*synapses, feed.scaled);
    }
    feed.synapses = std::move(*synapses);
    const NumberFormats formats =
        narrowed(chip.formats, weightBitsOf(project).value_or(0));
    if (failed(checkSigns(project, feed.scaled.mixed, formats)))
      return failure();
    const int64_t limit = mantissaLimit(formats, feed.scaled.mixed);
    feed.range = {feed.scaled.negative ? -limit : 0,
                  feed.scaled.positive ? limit : 0};
    Operation *source = dend::symbolOf(project, project.getSourceAttr());
    if (auto input = dyn_cast<dend::InputOp>(source)) {
      if (input.getSpike() == dend::gradedSpike(input.getContext()))
        feed.unit = 1 / chooseInputFormat(input, chip, inputBits).scale;
      else if (input.getScale())
        feed.unit = 1 / input.getScale()->convertToDouble();
    }
    return feed;
  }

  /// Weights times the gains of their targets; false where one weight serves
  /// targets of different gains.
  bool scale(const SynapseArrays<double> &synapses, ProjectionWeights &into) {
    std::vector<double> of(synapses.weights.size(), 0.0), values(of);
    std::vector<bool> seen(of.size(), false);
    for (size_t k = 0; k < synapses.size(); ++k) {
      size_t at = synapses.indexOf(k);
      double factor = gainOf(synapses.target[k]);
      if (seen[at] && of[at] != factor)
        return false;
      seen[at] = true;
      of[at] = factor;
      values[at] = synapses.weights[at] * factor;
    }
    for (double value : values)
      into.add(value);
    return true;
  }

  /// Of a target element: those of fixed-function neurons are neurons.
  double gainOf(uint32_t target) const { return isCuba ? gain[target] : 1.0; }

  /// Whether the plain quantiser loses nothing.
  bool isExact(const Feed &feed) const {
    const int64_t limit = std::max(feed.range.high, -feed.range.low);
    if (isCuba)
      return commonStep(feed.scaled, limit) > 0;
    double step = fullPower(feed);
    return std::all_of(feed.scaled.weight.begin(), feed.scaled.weight.end(),
                       [&](double weight) {
                         double ratio = weight / step;
                         return std::fabs(ratio - std::round(ratio)) < 1e-9;
                       });
  }

  /// The least step that is a power of two of the port and clips nothing, as
  /// the plain quantiser takes it.
  double fullPower(const Feed &feed) const {
    const double limit =
        double(std::max(feed.range.high, -feed.range.low)) + 0.5;
    const double largest = feed.scaled.largest * feed.unit;
    int power = int(std::floor(std::log2(largest / limit)));
    while (std::ldexp(limit, power) <= largest)
      ++power;
    return std::ldexp(1.0, power) / feed.unit;
  }

  /// Neurons whose rows are shared in some projection have one step.
  void groupNeurons() {
    size_t targets = population.getSize();
    for (const Feed &feed : feeds)
      targets = std::max(targets, size_t(targetElements(feed.project)));
    for (Feed &feed : feeds)
      feed.rows = rowsOf(feed.synapses, size_t(targetElements(feed.project)));
    unitOf.resize(targets);
    std::iota(unitOf.begin(), unitOf.end(), 0u);
    if (!isCuba)
      return;
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Feed &feed : feeds)
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

  void prepare(Feed &feed) {
    const bool weighted =
        options.method == "search" || options.rounding == "adaptive";
    const bool centred = corrects(feed);
    std::vector<size_t> width(feed.rows.inputs.size(), 0);
    for (const WeightRow &row : feed.rows.rows)
      width[row.inputs] = row.weights.size();
    bool silent = false;
    for (size_t i = 0; i < width.size(); ++i) {
      InputMetric metric = InputMetric::identity(Eigen::Index(width[i]));
      if (weighted && feed.inputs.now) {
        InputMetric seen =
            metricOf(feed.rows.inputs[i], width[i], *feed.inputs.now, centred);
        silent |= seen.silent() && width[i] > 0;
        if (!seen.silent())
          metric = std::move(seen);
      }
      if (options.rounding == "adaptive")
        metric.factorise();
      feed.metrics.push_back(std::move(metric));
    }
    if (silent && width.size() == 1)
      warn(population->getParentOfType<dend::NetworkOp>(),
           {"silent-source", placeOfLayer(population.getSymName()),
            fmt::format("nothing arrives from '{}' on the calibration samples; "
                        "its weights are rounded by themselves",
                        feed.project.getSource().str())});
    for (const WeightRow &row : feed.rows.rows) {
      GridRow &grid = feed.grid.emplace_back();
      grid.weights.resize(Eigen::Index(row.weights.size()));
      for (size_t k = 0; k < row.weights.size(); ++k)
        grid.weights[Eigen::Index(k)] = feed.scaled.weight[row.weights[k]];
      grid.metric = &feed.metrics[row.inputs];
      grid.unit = unitOf[row.targets.front()];
      // Neurons count alike, by the share of what they receive that is lost:
      // those that receive little may be the ones that tell classes apart.
      double size = grid.metric->error(grid.weights);
      if (isCuba && shape.fire && size > 0)
        grid.importance = 1 / size;
    }
  }

  bool corrects(const Feed &feed) const {
    return options.correctBias && feed.inputs.before &&
           feed.inputs.perUpdate > 0;
  }

  std::vector<double> oneStepPerPort(const Feed &feed) const {
    const double full = fullPower(feed);
    std::vector<double> candidates{full};
    if (options.method == "percentile")
      while (candidates[0] * 0.5 >= percentileStep(feed))
        candidates[0] *= 0.5;
    if (options.method == "mse" || options.method == "search")
      for (int k = 1; k < kPowers; ++k)
        candidates.push_back(std::ldexp(full, -k));
    return searchSteps(feed.grid, unitOf.size(), candidates, 1, feed.range,
                       options.rounding == "adaptive");
  }

  /// Of the weights but for outliers.
  double percentileStep(const Feed &feed) const {
    std::vector<double> sizes;
    for (double weight : feed.scaled.weight)
      sizes.push_back(std::fabs(weight));
    size_t at = size_t(double(sizes.size() - 1) * (1 - kOutliers));
    std::nth_element(sizes.begin(), sizes.begin() + ptrdiff_t(at), sizes.end());
    return sizes[at] / double(std::max(feed.range.high, -feed.range.low));
  }

  /// Of every neuron, into whose v the projection's mantissas count.
  std::vector<double> stepsOf(const Feed &feed) {
    const double full = feed.scaled.largest /
                        double(std::max(feed.range.high, -feed.range.low));
    if (options.method == "max")
      return std::vector<double>(unitOf.size(), full);
    if (options.method == "percentile") {
      double step = percentileStep(feed);
      return std::vector<double>(unitOf.size(), step > 0 ? step : full);
    }
    const size_t distinct = distinctSteps();
    return searchSteps(
        feed.grid, unitOf.size(),
        geometricSteps(full, distinct > 1
                                 ? size_t(std::log2(kSpread)) * kStepsPerOctave
                                 : kCommonCandidates),
        distinct, feed.range, options.rounding == "adaptive");
  }

  /// How many steps the neurons may have: thresholds come in profiles, half of
  /// which a layer may take, and the host reads a state in one unit.
  size_t distinctSteps() {
    if (options.thresholdScale == "layer" || !shape.fire)
      return 1;
    auto network = population->getParentOfType<dend::NetworkOp>();
    for (auto output : network.getOps<dend::OutputOp>())
      if (output.getProbe() &&
          output.getPopulation() == population.getSymName())
        return 1;
    const auto profiles = chip.limits.thresholdProfiles;
    size_t most = kDistinctSteps;
    if (profiles)
      most = std::min<size_t>(
          most, *profiles / 2 / std::max<size_t>(distinctThresholds, 1));
    return std::max<size_t>(most, 1);
  }

  ChosenFeed take(Feed &feed, const std::vector<double> &step,
                  WeightChoices &choices) {
    GridChoice choice =
        roundRows(feed.grid, step, feed.range, options.rounding == "adaptive");
    ChosenWeights chosen;
    chosen.step = *std::max_element(step.begin(), step.end());
    chosen.mantissas.assign(feed.synapses.weights.size(), 0);
    ChosenFeed result{feed.project,
                      std::vector<double>(feed.synapses.weights.size(), 0.0),
                      {}};
    for (size_t r = 0; r < feed.grid.size(); ++r) {
      const WeightRow &row = feed.rows.rows[r];
      const double unit = step[feed.grid[r].unit] / gainOf(row.targets.front());
      for (size_t k = 0; k < row.weights.size(); ++k) {
        chosen.mantissas[row.weights[k]] = choice.mantissas[r][k];
        result.weights[row.weights[k]] = double(choice.mantissas[r][k]) * unit;
      }
    }
    if (corrects(feed))
      result.lost = lostMeans(feed, result.weights);
    const std::set<double> distinct(step.begin(), step.end());
    chosen.how = fmt::format(
        "{} {}, rounded {}, {} of {} weights clipped on purpose, error of the "
        "sums {:.3g} %",
        distinct.size() == 1 ? std::string("step")
                             : fmt::format("{} steps", usedSteps(feed, step)),
        options.method == "max" ? "by the largest weight"
                                : "by " + options.method,
        options.rounding == "adaptive" ? "adaptively" : "to nearest",
        choice.clipped, feed.scaled.weight.size(),
        choice.size > 0 ? 100 * std::sqrt(choice.error / choice.size) : 0.0);
    choices.set(feed.project, std::move(chosen));
    return result;
  }

  static size_t usedSteps(const Feed &feed, const std::vector<double> &step) {
    std::set<double> used;
    for (const GridRow &row : feed.grid)
      used.insert(step[row.unit]);
    return used.size();
  }

  /// What the mean sum of each target lost, the same for all of a row.
  std::vector<double> lostMeans(const Feed &feed,
                                const std::vector<double> &now) const {
    std::vector<double> lost(size_t(targetElements(feed.project)), 0.0);
    std::vector<Eigen::VectorXd> before, after;
    for (size_t i = 0; i < feed.rows.inputs.size(); ++i) {
      size_t width = size_t(feed.metrics[i].inputs());
      before.push_back(
          meanInput(feed.rows.inputs[i], width, feed.inputs.before->mean));
      after.push_back(
          meanInput(feed.rows.inputs[i], width, feed.inputs.now->mean));
    }
    for (const WeightRow &row : feed.rows.rows) {
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

  void setFactors(const std::vector<double> &step,
                  ArrayRef<std::vector<double>> largest,
                  WeightChoices &choices) {
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
      return state >= 0 && size_t(state) < largest.size()
                 ? largest[size_t(state)]
                 : std::vector<double>();
    };
    neurons.current = magnitudes(shape.synapseState);
    neurons.potential = magnitudes(shape.membraneState);
    choices.set(population, std::move(neurons));
  }

  dend::PopulationOp population;
  const Target &chip;
  const QuantiserOptions &options;
  unsigned inputBits;
  bool isCuba = false;
  CubaShape shape;
  std::vector<double> gain;
  size_t distinctThresholds = 0;
  std::vector<Feed> feeds;
  std::vector<uint32_t> unitOf; // by neuron, or by target element
};

} // namespace

FailureOr<std::vector<ChosenFeed>>
chooseLayer(dend::PopulationOp population, const Target &chip,
            const QuantiserOptions &options, unsigned inputBits,
            llvm::function_ref<FeedInputs(dend::ProjectOp)> inputsOf,
            ArrayRef<std::vector<double>> largest, WeightChoices &choices) {
  LayerChooser chooser(population, chip, options, inputBits);
  bool any = false;
  if (failed(chooser.read(inputsOf, any)))
    return failure();
  if (!any)
    return std::vector<ChosenFeed>();
  return chooser.choose(largest, choices);
}

} // namespace neurite
