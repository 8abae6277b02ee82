// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers within bands that bring predictions close to measurements. Nothing
// here knows a chip.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_FIT_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_FIT_H

#include <functional>
#include <string>
#include <vector>

namespace dendrolith::silicon {

/// Of a number that may move.
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

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_FIT_H
