// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/Scale.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::explore {

/// 1, 2, 2.5 or 5 times a power of ten, so that four steps span the range.
static double roundStep(double range) {
  const double rough = range / 4,
               ten = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * ten >= rough * (1 - 1e-9))
      return factor * ten;
  return 10 * ten;
}

Scale::Scale(const std::vector<Band> &bands) {
  if (bands.empty())
    return;
  double least = bands.front().low, most = bands.front().high;
  for (const Band &band : bands) {
    least = std::min(least, band.low);
    most = std::max(most, band.high);
  }
  logarithmic = least > 0 && most > 10 * least;
  if (logarithmic) {
    low = std::log10(least) - 0.04 * std::log10(most / least);
    high = std::log10(most) + 0.04 * std::log10(most / least);
    const bool few = high - low < 2.5;
    for (int power = int(std::floor(low)); power <= int(std::ceil(high));
         ++power)
      for (double factor : {1.0, 2.0, 5.0})
        if (factor == 1 || few)
          if (double value = factor * std::pow(10, power);
              std::log10(value) >= low && std::log10(value) <= high)
            marks.push_back(value);
    return;
  }
  // One value alone stands in the middle of numbers like it.
  const double range = most > least ? most - least
                       : most != 0  ? std::abs(most) / 20
                                    : 0.5;
  low = most > least ? least - 0.05 * range : least - range;
  high = most > least ? most + 0.05 * range : most + range;
  const double step = roundStep(high - low);
  // Numbers too near to each other for a step between them have no marks.
  const double first = std::ceil(low / step);
  for (int i = 0; i < 20 && (first + i) * step <= high; ++i)
    if (const double mark = (first + i) * step + 0.0; // no -0
        marks.empty() || mark > marks.back())
      marks.push_back(mark);
}

double Scale::at(double value) const {
  return ((logarithmic ? std::log10(value) : value) - low) / (high - low);
}

} // namespace dendrolith::explore
