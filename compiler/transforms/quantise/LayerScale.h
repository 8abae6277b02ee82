// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many integer units a real unit of a population's state is worth, and with
// how many bits each projection's mantissas are shifted. Plain numbers, no IR.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERSCALE_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERSCALE_H

#include "targets/loader/Target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

/// Weights of one projection in real state units per unit payload.
struct ProjectionWeights {
  std::vector<double> weight;
  double largest = 0; // magnitude
  uint64_t bits = 0;  // of a mantissa; 0: as many as the target has
  // Mantissas that were chosen before, in units of `step`; empty: none were.
  std::vector<int64_t> chosen;
  double step = 0;
  bool positive = false, negative = false;
  bool mixed = false; // both signs occur
  void add(double value);
};

/// What limits a population's scale, in real units. A bound of 0 does not limit
/// it.
struct LayerBounds {
  double threshold = 0;           // largest theta - reset value
  std::vector<double> thresholds; // each that occurs; none where none fires
  bool inclusive = false;         // v at its threshold fires, too
  double bias = 0;                // largest magnitude
  double current = 0;             // |u| that must not wrap, with much room
  double leastCurrent = 0;        // the same with the least room; 0: no bound
  double potential = 0;           // |v| that should not saturate
};

struct LayerScale {
  double scale = 1;       // integer units per real unit
  std::vector<int> shift; // per projection: contribution = mantissa << shift
  std::string limitedBy;  // which bound set the scale, by its name here
  static constexpr const char *kByCurrent = "current",
                              *kByPotential = "potential",
                              *kByRounding = "rounding of the threshold";
};

/// The formats of a projection whose mantissas have `bits` bits (0: as many as
/// the target's). Narrower ones are the upper bits of the target's, so that
/// their least step is larger by what is cut off.
NumberFormats narrowed(const NumberFormats &formats, uint64_t bits);

/// The largest magnitude of a mantissa that a projection may use: all weight
/// bits if its weights have one sign, one bit less (step 2) if both occur.
int64_t mantissaLimit(const NumberFormats &formats, bool mixed);

/// A step of which every weight is a whole multiple, by at most `limit`; 0 if
/// there is none.
double commonStep(const ProjectionWeights &projection, int64_t limit);

/// The least and the largest shift of a projection's mantissas on the target.
int shiftMin(const NumberFormats &formats, bool mixed);
int shiftMax(const NumberFormats &formats, bool mixed);

/// The threshold in the target's units whose strict comparison stands for that
/// of `units`, a threshold in units of v: the nearest, or where a potential at
/// its threshold fires the largest below it. That is one unit of v less where
/// the target holds every integer. At least 1.
double thresholdMantissa(double units, const NumberFormats &formats,
                         bool inclusive);

/// How far a spike's condition is from v > `units`, or v >= `units`, as a share
/// of the threshold.
double thresholdError(double units, const NumberFormats &formats,
                      bool inclusive);

/// The largest scale within the bounds, lowered by less than a factor of two so
/// that the largest weight uses the whole mantissa; or such that every weight
/// is an exact multiple of one step, where that is possible. Steps that were
/// chosen before, powers of two of each other, become powers of two.
///
/// Where rounding would destroy a threshold at that scale, the nearest one is
/// taken at which the threshold is whole. It may leave the largest weight less
/// than its mantissa, a current less room, and a potential none: one that is
/// clipped far below its reset value returns early, another threshold moves
/// every spike.
LayerScale chooseScale(const NumberFormats &formats, const LayerBounds &bounds,
                       const std::vector<ProjectionWeights> &projections);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERSCALE_H
