// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/FreeSteps.h"

#include "compiler/pipelines/few_bits/LinearPort.h"
#include "compiler/pipelines/few_bits/Rescale.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerGrid.h"

#include "dialects/dend/NetworkIndex.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace dendrolith {
namespace {

// Units that are tried within an octave, beyond which powers of two repeat.
constexpr int kUnits = 8;
// Powers of two below the one that clips nothing.
constexpr int kPowers = 5;
// Another unit has to lower the error by this.
constexpr double kWorthwhile = 0.02;
// Octaves between the finest and the coarsest branch: what multiplies the
// finest loses as many of its 16 bits.
constexpr int kBranchOctaves = 4;

/// A projection's best step among powers of two.
struct Best {
  double step = 0, error = std::numeric_limits<double>::infinity();
};

/// Where weights are multiplied by `factor`; only steps within an octave of
/// `near` are tried, or all for 0.
Best bestPower(const LayerFeed &feed, const std::vector<GridRow> &rows,
               size_t units, double factor, double near, bool compensating) {
  Best best;
  const double full = largestPowerStep(feed, factor);
  for (int power = 0; power < kPowers; ++power) {
    const double step = std::ldexp(full, -power);
    if (near > 0 && (step >= 2 * near || step <= near / 2))
      continue;
    const double error = roundRows(rows, std::vector<double>(units, step),
                                   feed.range, compensating)
                             .error;
    if (error < best.error)
      best = {step, error};
  }
  return best;
}

class StepSearch {
public:
  StepSearch(const Target &chip, const QuantiserOptions &options,
             InputsOf inputsOf, Activity &activity, BranchNotes &notes)
      : chip(chip), options(options), inputsOf(inputsOf), activity(activity),
        notes(notes) {}

  LogicalResult run(dend::PopulationOp population) {
    dend::NeuronOp model = dend::modelOf(population);
    std::vector<bool> settled(model.getPortArgs().size(), false);
    for (unsigned i = 0; i < settled.size(); ++i) {
      auto branches =
          freeBranches(population, model.getPort(i).getName().getValue());
      if (failed(branches))
        return failure();
      settled[i] = *branches;
    }
    const std::vector<bool> inBranches = settled;
    for (unsigned i = 0; i < settled.size(); ++i) {
      if (settled[i])
        continue;
      StringRef port = model.getPort(i).getName().getValue();
      auto degrees = freeUnitOf(population, port);
      if (!degrees)
        continue;
      // Branches have the steps that suit them.
      bool movesBranches = false;
      for (unsigned k = 0; k < inBranches.size(); ++k)
        movesBranches |=
            inBranches[k] && degrees->of(model.getPortArgs()[k]) != 0;
      if (movesBranches)
        continue;
      for (unsigned k = 0; k < settled.size(); ++k)
        settled[k] = settled[k] || degrees->of(model.getPortArgs()[k]) != 0;
      auto keeps = keepsExact(population, *degrees);
      if (failed(keeps))
        return failure();
      if (!*keeps)
        continue;
      auto factor = bestFactor(population, *degrees);
      if (failed(factor))
        return failure();
      if (*factor == 1)
        continue;
      rescale(population, *degrees, *factor);
      scaleActivity(population, *degrees, *factor);
    }
    return success();
  }

private:
  /// Gives each element of a port its own unit, where that is free and the sums
  /// lose less: whether it did.
  FailureOr<bool> freeBranches(dend::PopulationOp population, StringRef port) {
    auto linear = LinearPort::of(population, port);
    if (!linear || linear->groups() < 2)
      return false;
    auto layer = readFeeds(population, chip, inputsOf);
    if (failed(layer))
      return failure();
    size_t weighted = 0;
    for (dend::ProjectOp project : dend::projectionsInto(population))
      weighted += project.getPort() == port;
    for (const LayerFeed &feed : layer->feeds) {
      dend::ProjectOp project = feed.project;
      weighted -= project.getPort() == port;
    }
    // What is exact now would not stay so.
    if (weighted > 0)
      return false;
    const LayerGrid grid = makeGrid(*layer, options);
    const std::vector<double> factor =
        branchFactors(*layer, grid, *linear, port);
    if (factor.empty())
      return false;
    linear->scale(factor);
    const auto [least, most] =
        std::minmax_element(factor.begin(), factor.end());
    for (const LayerFeed &feed : layer->feeds) {
      dend::ProjectOp project = feed.project;
      if (project.getPort() == port)
        notes[project] =
            fmt::format("{} branches with steps up to {:.3g} times apart",
                        factor.size(), *most / *least);
    }
    return true;
  }

  /// By group of elements; empty where one unit does as well.
  std::vector<double> branchFactors(const LayerFeeds &layer,
                                    const LayerGrid &grid,
                                    const LinearPort &linear, StringRef port) {
    // The rows of each group, with the step of their feed.
    struct Part {
      GridRow row;
      double step;
      MantissaRange range;
    };
    std::vector<std::vector<Part>> parts(linear.groups());
    for (auto [feed, of] : llvm::zip_equal(layer.feeds, grid.feeds)) {
      dend::ProjectOp project = feed.project;
      if (project.getPort() != port)
        continue;
      const double step = largestPowerStep(feed);
      for (auto [row, its] : llvm::zip_equal(of.grid, of.rows.rows)) {
        Part part{row, step, feed.range};
        part.row.unit = 0;
        parts[linear.groupOf(its.targets.front())].push_back(std::move(part));
      }
    }
    const bool compensating = options.rounding == "adaptive";
    std::vector<double> factor(parts.size(), 1.0);
    double before = 0, after = 0;
    for (size_t g = 0; g < parts.size(); ++g) {
      double least = 0;
      for (int k = 0; k <= kBranchOctaves * kUnits; ++k) {
        const double times = std::exp2(double(k) / kUnits);
        double error = 0;
        for (const Part &part : parts[g])
          error += roundRows({part.row}, {part.step / times}, part.range,
                             compensating)
                       .error;
        if (k == 0)
          before += error;
        if (k == 0 || error < least) {
          least = error;
          factor[g] = times;
        }
      }
      after += least;
    }
    if (after >= (1 - kWorthwhile) * before)
      return {};
    return factor;
  }

  int degreeOf(const Degrees &degrees, dend::ProjectOp project) {
    auto target =
        dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
    dend::NeuronOp model = dend::modelOf(target);
    return degrees.of(model.getPortArgs()[model.findPort(project.getPort())]);
  }

  /// Whether no weights that are exact now leave a changed output.
  FailureOr<bool> keepsExact(dend::PopulationOp population,
                             const Degrees &degrees) {
    dend::NeuronOp model = dend::modelOf(population);
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    for (dend::ProjectOp project : dend::projectionsOutOf(population)) {
      int output =
          project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
      if (degrees.of(yield.getEmitted()[output]) == 0)
        continue;
      auto target =
          dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
      auto feeds = readFeeds(target, chip, inputsOf);
      if (failed(feeds))
        return failure();
      if (llvm::none_of(feeds->feeds, [&](const LayerFeed &feed) {
            return feed.project == project;
          }))
        return false;
    }
    return true;
  }

  FailureOr<double> bestFactor(dend::PopulationOp population,
                               const Degrees &degrees) {
    auto layer = readFeeds(population, chip, inputsOf);
    if (failed(layer))
      return failure();
    const LayerGrid grid = makeGrid(*layer, options);
    const bool compensating = options.rounding == "adaptive";
    double best = 1, least = std::numeric_limits<double>::infinity();
    std::vector<double> near(layer->feeds.size(), 0.0);
    std::vector<std::vector<GridRow>> rows;
    for (const FeedGrid &of : grid.feeds)
      rows.push_back(sampledRows(of.grid));
    for (int k = 0; k < kUnits; ++k) {
      // 0, 1, -1, 2, -2, ...: the nearest units first.
      const int eighths = k % 2 ? (k + 1) / 2 : -k / 2;
      const double factor = std::exp2(double(eighths) / kUnits);
      double error = 0;
      for (size_t i = 0; i < near.size(); ++i) {
        const LayerFeed &feed = layer->feeds[i];
        const int degree = degreeOf(degrees, feed.project);
        if (degree == 0)
          continue;
        Best its = bestPower(feed, rows[i], grid.unitOf.size(),
                             std::pow(factor, degree), near[i], compensating);
        error += its.error;
        if (k == 0)
          near[i] = its.step;
      }
      if (k == 0 || error < (best == 1 ? 1 - kWorthwhile : 1) * least) {
        least = error;
        best = factor;
      }
    }
    return best;
  }

  /// The statistics of the float network in the units that it has now.
  void scaleActivity(dend::PopulationOp population, const Degrees &degrees,
                     double factor) {
    dend::NeuronOp model = dend::modelOf(population);
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    for (auto [i, value] : llvm::enumerate(yield.getEmitted())) {
      auto found = activity.sources.find(
          sourceKey(population, model.getOutput(unsigned(i)).getName()));
      if (found == activity.sources.end())
        continue;
      const double by = std::pow(factor, degrees.of(value));
      for (double &mean : found->second.mean)
        mean *= by;
      for (double &square : found->second.square)
        square *= by * by;
      found->second.products *= by * by;
    }
  }

  const Target &chip;
  const QuantiserOptions &options;
  InputsOf inputsOf;
  Activity &activity;
  BranchNotes &notes;
};

} // namespace

LogicalResult freeSteps(const PopulationOrder &order, const Target &chip,
                        const QuantiserOptions &options, InputsOf inputsOf,
                        Activity &activity, BranchNotes &notes) {
  StepSearch search(chip, options, inputsOf, activity, notes);
  for (dend::PopulationOp population : order.populations)
    if (kindOf(population) == ModelKind::Body && failed(search.run(population)))
      return failure();
  return success();
}

} // namespace dendrolith
