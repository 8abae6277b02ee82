// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerScale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

namespace dendrolith {

double commonStep(const ProjectionWeights &projection, int64_t limit) {
  std::set<double> distinct;
  for (double weight : projection.weight)
    if (weight != 0) {
      distinct.insert(std::fabs(weight));
      // Trained weights have many more values than any grid has points.
      if (distinct.size() > static_cast<size_t>(limit))
        return 0;
    }
  for (int64_t k = 1; k <= limit && !distinct.empty(); ++k) {
    double step = projection.largest / static_cast<double>(k);
    bool exact = std::all_of(distinct.begin(), distinct.end(), [&](double w) {
      double ratio = w / step;
      return std::fabs(ratio - std::round(ratio)) <= 1e-9 * ratio;
    });
    if (exact)
      return step;
  }
  return 0;
}

namespace {

void bound(LayerScale &best, double room, double size, const char *name) {
  if (size > 0 && room / size < best.scale) {
    best.scale = room / size;
    best.limitedBy = name;
  }
}

/// The largest magnitude that the mantissas have to reach.
double reachOf(const ProjectionWeights &projection,
               const NumberFormats &formats) {
  if (projection.chosen.empty())
    return projection.largest;
  return double(mantissaLimit(formats, projection.mixed)) * projection.step;
}

/// The shift that makes a chosen step a power of two; nothing where none was
/// chosen or the target has not got it.
std::optional<int> chosenShift(const ProjectionWeights &projection,
                               const NumberFormats &formats, double scale) {
  if (projection.chosen.empty())
    return std::nullopt;
  int shift = int(std::lround(std::log2(scale * projection.step)));
  if (shift < shiftMin(formats, projection.mixed) ||
      shift > shiftMax(formats, projection.mixed))
    return std::nullopt;
  return shift;
}

} // namespace

void ProjectionWeights::add(double value) {
  positive = positive || value > 0;
  negative = negative || value < 0;
  mixed = positive && negative;
  largest = std::max(largest, std::fabs(value));
  weight.push_back(value);
}

NumberFormats narrowed(const NumberFormats &formats, uint64_t bits) {
  NumberFormats narrow = formats;
  if (bits && bits < formats.weightBits) {
    narrow.weightShift += formats.weightBits - bits;
    narrow.weightBits = bits;
  }
  return narrow;
}

int64_t mantissaLimit(const NumberFormats &formats, bool mixed) {
  return (int64_t(1) << (formats.weightBits - (mixed ? 1 : 0))) - 1;
}

int shiftMin(const NumberFormats &formats, bool mixed) {
  return static_cast<int>(static_cast<int64_t>(formats.weightShift) +
                          formats.weightExponentMin) +
         (mixed ? 1 : 0);
}

int shiftMax(const NumberFormats &formats, bool mixed) {
  return static_cast<int>(static_cast<int64_t>(formats.weightShift) +
                          formats.weightExponentMax) +
         (mixed ? 1 : 0);
}

double thresholdMantissa(double units, const NumberFormats &formats,
                         bool inclusive) {
  const double exact =
      std::ldexp(units, -static_cast<int>(formats.thresholdShift));
  const double nearest = std::nearbyint(exact);
  if (!inclusive)
    return std::max(nearest, 1.0);
  // A scale's own rounding must not take a whole threshold for one above it.
  const bool whole = std::fabs(exact - nearest) <= 1e-9 * nearest;
  return std::max((whole ? nearest : std::ceil(exact)) - 1, 1.0);
}

double thresholdError(double units, const NumberFormats &formats,
                      bool inclusive) {
  const double held = std::ldexp(thresholdMantissa(units, formats, inclusive),
                                 static_cast<int>(formats.thresholdShift));
  return std::fabs((held + (inclusive ? 1 : 0)) / units - 1);
}

namespace {

/// The largest scale within the bounds, and what bounds it.
LayerScale largestScale(const NumberFormats &formats, const LayerBounds &bounds,
                        const std::vector<ProjectionWeights> &projections) {
  LayerScale best;
  best.scale = std::numeric_limits<double>::infinity();
  bound(best,
        static_cast<double>(formats.thresholdMantissaMax()
                            << formats.thresholdShift),
        bounds.threshold, "threshold");
  bound(
      best,
      static_cast<double>(formats.biasMantissaMax() << formats.biasExponentMax),
      bounds.bias, "bias");
  bound(best, static_cast<double>(formats.stateMax()), bounds.current,
        LayerScale::kByCurrent);
  bound(best, static_cast<double>(formats.stateMax()), bounds.potential,
        LayerScale::kByPotential);
  for (const ProjectionWeights &projection : projections) {
    const NumberFormats own = narrowed(formats, projection.bits);
    bound(best,
          std::ldexp(static_cast<double>(mantissaLimit(own, projection.mixed)),
                     shiftMax(own, projection.mixed)),
          reachOf(projection, own), "weight exponent");
  }
  if (!std::isfinite(best.scale)) {
    best.scale = 1;
    best.limitedBy = "nothing";
  }
  return best;
}

/// Lowers a scale so that the largest weight fills its mantissa.
void fillMantissa(LayerScale &best, const NumberFormats &formats,
                  const std::vector<ProjectionWeights> &projections) {
  const ProjectionWeights *dominant = nullptr;
  for (const ProjectionWeights &projection : projections)
    if (projection.largest > 0 &&
        (!dominant || projection.largest > dominant->largest))
      dominant = &projection;
  if (!dominant)
    return;
  const NumberFormats own = narrowed(formats, dominant->bits);
  int64_t limit = mantissaLimit(own, dominant->mixed);
  double step =
      dominant->chosen.empty() ? commonStep(*dominant, limit) : dominant->step;
  double unit = step > 0 ? step : dominant->largest / double(limit);
  // scale * unit = 2^shift makes the dominant mantissas whole (or full).
  int shift = static_cast<int>(std::floor(std::log2(best.scale * unit)));
  // Below the least shift mantissas cannot be full, so the scale is kept.
  if (shift >= shiftMin(own, dominant->mixed))
    best.scale =
        std::ldexp(1.0, std::min(shift, shiftMax(own, dominant->mixed))) / unit;
}

/// Rounding that is worth another scale, of the threshold.
constexpr double kGoodThreshold = 0.01;

/// How far the worst threshold is off at a scale, of itself.
double worstThreshold(const NumberFormats &formats, const LayerBounds &bounds,
                      double scale) {
  double worst = 0;
  for (double threshold : bounds.thresholds)
    worst = std::max(
        worst, thresholdError(threshold * scale, formats, bounds.inclusive));
  return worst;
}

/// The next better scale of those at which mantissas stay what they are.
void doubleScale(LayerScale &best, const NumberFormats &formats,
                 const LayerBounds &bounds, double most) {
  double least = worstThreshold(formats, bounds, best.scale);
  for (double scale = 2 * best.scale; scale <= most && least > kGoodThreshold;
       scale *= 2) {
    const double error = worstThreshold(formats, bounds, scale);
    if (error >= least)
      continue;
    least = error;
    best.scale = scale;
    best.limitedBy = LayerScale::kByRounding;
  }
}

/// Whether weights that are whole multiples of a step (0: they are none) stay
/// so.
bool keepsSteps(const NumberFormats &formats, double scale,
                const std::vector<ProjectionWeights> &projections,
                const std::vector<double> &steps) {
  for (size_t i = 0; i < projections.size(); ++i) {
    const ProjectionWeights &each = projections[i];
    const NumberFormats own = narrowed(formats, each.bits);
    const double limit = double(mantissaLimit(own, each.mixed));
    double step = std::ldexp(scale * steps[i], -shiftMin(own, each.mixed));
    double largest =
        std::ldexp(scale * each.largest, -shiftMin(own, each.mixed));
    for (; largest >= limit + 0.5; largest /= 2)
      step /= 2;
    if (step == 0 || std::fabs(step - std::nearbyint(step)) > 1e-9 * step)
      return false;
  }
  return true;
}

/// Takes the scale nearest to `wanted` at which the least threshold is whole,
/// all thresholds are good, and weights that can be exact are. Without one, it
/// takes the scale at which the thresholds are best.
void wholeThreshold(LayerScale &best, const NumberFormats &formats,
                    const LayerBounds &bounds, double wanted, double most,
                    const std::vector<ProjectionWeights> &projections) {
  std::vector<double> steps;
  for (const ProjectionWeights &each : projections)
    steps.push_back(commonStep(
        each, mantissaLimit(narrowed(formats, each.bits), each.mixed)));
  constexpr int kMostUnits = 256; // from which on no rounding is large
  const double one =
      std::ldexp(1.0, static_cast<int>(formats.thresholdShift)) /
      *std::min_element(bounds.thresholds.begin(), bounds.thresholds.end());
  // Errors below kGoodThreshold are equal; then the distance decides.
  auto rank = [&](double scale) {
    return std::tuple(
        std::max(worstThreshold(formats, bounds, scale), kGoodThreshold),
        !keepsSteps(formats, scale, projections, steps),
        std::fabs(std::log(scale / wanted)));
  };
  auto least = rank(best.scale);
  // One unit of v above a threshold that the target holds, where it fires at
  // its own, too.
  const double above =
      bounds.inclusive
          ? std::ldexp(1.0, -static_cast<int>(formats.thresholdShift))
          : 0;
  for (int units = 1; units <= kMostUnits && (units + above) * one <= most;
       ++units)
    if (auto found = rank((units + above) * one); found < least) {
      least = found;
      best.scale = (units + above) * one;
      best.limitedBy = LayerScale::kByRounding;
    }
}

/// Gives up some of what a threshold that rounding would destroy leaves of the
/// weights' last bit and of the room for potential and current.
void saveThreshold(LayerScale &best, const NumberFormats &formats,
                   LayerBounds bounds, double wanted,
                   const std::vector<ProjectionWeights> &projections) {
  if (worstThreshold(formats, bounds, best.scale) <= kGoodThreshold)
    return;
  // A potential has to reach its threshold and pass it.
  bounds.potential = 2 * bounds.threshold;
  bounds.current = bounds.leastCurrent;
  const double most = largestScale(formats, bounds, projections).scale;
  if (std::any_of(projections.begin(), projections.end(),
                  [](const auto &each) { return !each.chosen.empty(); }))
    doubleScale(best, formats, bounds, most);
  else
    wholeThreshold(best, formats, bounds, wanted, most, projections);
}

} // namespace

LayerScale chooseScale(const NumberFormats &formats, const LayerBounds &bounds,
                       const std::vector<ProjectionWeights> &projections) {
  LayerScale best = largestScale(formats, bounds, projections);
  const double wanted = best.scale;
  fillMantissa(best, formats, projections);
  saveThreshold(best, formats, bounds, wanted, projections);
  for (const ProjectionWeights &projection : projections) {
    const NumberFormats own = narrowed(formats, projection.bits);
    if (auto chosen = chosenShift(projection, own, best.scale)) {
      best.shift.push_back(*chosen);
      continue;
    }
    int shift = shiftMin(own, projection.mixed);
    double limit = static_cast<double>(mantissaLimit(own, projection.mixed));
    // The half allows a largest weight that rounds to the limit.
    while (std::ldexp(limit + 0.5, shift) <= best.scale * projection.largest)
      ++shift;
    best.shift.push_back(shift);
  }
  return best;
}

} // namespace dendrolith
