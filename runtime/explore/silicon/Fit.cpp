// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/Fit.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::silicon {

std::vector<double>
boundedLeastSquares(const std::vector<std::vector<double>> &a,
                    const std::vector<double> &b,
                    const std::vector<Band> &bands) {
  // One number after another takes its best value while the others stay. The
  // sum is convex, so that this goes to its least.
  constexpr int most = 100000;
  constexpr double still = 1e-12;
  std::vector<double> x, rest(b);
  for (const Band &band : bands)
    x.push_back(band.low);
  for (size_t row = 0; row < b.size(); ++row)
    for (size_t k = 0; k < x.size(); ++k)
      rest[row] -= a[row][k] * x[k];
  for (int round = 0; round < most; ++round) {
    double moved = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      double along = 0, square = 0;
      for (size_t row = 0; row < b.size(); ++row) {
        along += a[row][k] * rest[row];
        square += a[row][k] * a[row][k];
      }
      if (square == 0)
        continue;
      const double now = std::min(std::max(x[k] + along / square, bands[k].low),
                                  bands[k].high);
      for (size_t row = 0; row < b.size(); ++row)
        rest[row] -= a[row][k] * (now - x[k]);
      moved = std::max(moved, std::abs(now - x[k]) * std::sqrt(square));
      x[k] = now;
    }
    if (moved < still)
      break;
  }
  return x;
}

double valueAt(const Band &band, unsigned place) {
  const double share = double(place) / kGrid;
  return band.low > 0 ? band.low * std::pow(band.high / band.low, share)
                      : band.low + (band.high - band.low) * share;
}

unsigned nearestPlace(const Band &band, double value) {
  unsigned best = 0;
  for (unsigned place = 1; place <= kGrid; ++place)
    if (std::abs(valueAt(band, place) - value) <
        std::abs(valueAt(band, best) - value))
      best = place;
  return best;
}

GridPoint searchGrid(const GridPoint &start,
                     const std::function<double(const GridPoint &)> &cost) {
  GridPoint best = start;
  double least = cost(best);
  for (unsigned step = kGrid / 4; step > 0; step /= 2)
    for (bool better = true; better;) {
      better = false;
      const GridPoint from = best;
      for (size_t k = 0; k < from.size(); ++k)
        for (const bool up : {false, true}) {
          if (up ? from[k] + step > kGrid : from[k] < step)
            continue;
          GridPoint next = from;
          next[k] = up ? from[k] + step : from[k] - step;
          if (const double found = cost(next); found < least) {
            least = found;
            best = next;
            better = true;
          }
        }
    }
  return best;
}

} // namespace dendrolith::silicon
