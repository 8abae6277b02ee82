// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of a chip that a calibration may move.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_PARAMETERS_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_PARAMETERS_H

#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"

#include <functional>
#include <string>
#include <vector>

namespace dendrolith::silicon {

/// The bounds of a number that may move.
struct Band {
  double low = 0, high = 0; ///< high may be infinite where it is linear
};

/// The x within bands with the least sum over rows of (a x - b)^2: one row of
/// `a` for each of `b`, one column for each band.
std::vector<double>
boundedLeastSquares(const std::vector<std::vector<double>> &a,
                    const std::vector<double> &b,
                    const std::vector<Band> &bands);

/// Places in bands that a search visits: kGrid + 1 of each band, at equal
/// ratios where both ends are above 0, else at equal distances.
constexpr unsigned kGrid = 256;
using GridPoint = std::vector<unsigned>;
double valueAt(const Band &band, unsigned place);
unsigned nearestPlace(const Band &band, double value);

/// The best point that a search by coordinates finds from `start`, with steps
/// that halve from a quarter of each band to a grid's.
GridPoint searchGrid(const GridPoint &start,
                     const std::function<double(const GridPoint &)> &cost);

struct Parameter {
  /// A time of the default set: its key in it, as Target::set() takes it behind
  /// "timing.SET.". A price: the event, or "static".
  std::string key;
  bool isPrice = false;
  std::string unit;
  double shipped = 0; ///< the middle of a band
  Band band;
};

/// The numbers that --fit names, each as KEY or KEY=LOW..HIGH. A key may leave
/// out words where one number remains, as barrier.base does of
/// timing.scaled.barrier.formula.base; prices begin with "costs.". Without a
/// band of its own a number is halved and doubled. Only fitted, scaled and
/// assumed numbers move, and others where their band is given. Throws Error.
std::vector<Parameter> parametersOf(const std::vector<std::string> &fit,
                                    const Target &target,
                                    const std::vector<CostTable> &prices);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_PARAMETERS_H
