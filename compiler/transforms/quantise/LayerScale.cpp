// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerScale.h"

#include "targets/support/FixedNeuron.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

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

// However wide a chip's states are.
constexpr int64_t kCurrentMax = (int64_t(1) << (kCubaCurrentBits - 1)) - 1;

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
  bound(best, static_cast<double>(std::min(formats.stateMax(), kCurrentMax)),
        bounds.current, LayerScale::kByCurrent);
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

/// How far the least threshold is off at a scale, of itself.
double thresholdError(const NumberFormats &formats, const LayerBounds &bounds,
                      double scale) {
  const double exact = std::ldexp(bounds.leastThreshold * scale,
                                  -static_cast<int>(formats.thresholdShift));
  return exact > 0 ? std::fabs(std::max(std::nearbyint(exact), 1.0) / exact - 1)
                   : 0;
}

/// Doubles a scale that the potential bounds until the threshold is good, or as
/// good as the other bounds allow. Doubling leaves mantissas what they are.
void saveThreshold(LayerScale &best, const NumberFormats &formats,
                   LayerBounds bounds,
                   const std::vector<ProjectionWeights> &projections) {
  constexpr double kGoodThreshold = 0.01;
  // A potential has to reach its threshold and pass it.
  bounds.potential = 2 * bounds.threshold;
  const double most = largestScale(formats, bounds, projections).scale;
  double least = thresholdError(formats, bounds, best.scale);
  for (double scale = 2 * best.scale; scale <= most && least > kGoodThreshold;
       scale *= 2) {
    const double error = thresholdError(formats, bounds, scale);
    if (error >= least)
      continue;
    least = error;
    best.scale = scale;
    best.limitedBy = LayerScale::kByRounding;
  }
}

} // namespace

LayerScale chooseScale(const NumberFormats &formats, const LayerBounds &bounds,
                       const std::vector<ProjectionWeights> &projections) {
  LayerScale best = largestScale(formats, bounds, projections);
  fillMantissa(best, formats, projections);
  if (best.limitedBy == LayerScale::kByPotential)
    saveThreshold(best, formats, bounds, projections);
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
