// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value lies along an axis of a picture.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_SCALE_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_SCALE_H

#include "runtime/explore/point/Point.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

class Scale {
public:
  /// Shows all of the bands. Logarithmic where they are positive and the
  /// largest end is more than ten times the smallest.
  explicit Scale(const std::vector<Band> &bands);

  bool isLogarithmic() const { return logarithmic; }
  /// 0 at the lower end of the axis, 1 at the upper.
  double at(double value) const;
  /// Half way between the ends of a band, as the eye sees it.
  double middle(const Band &band) const {
    return (at(band.low) + at(band.high)) / 2;
  }
  /// Round values on the axis, rising.
  const std::vector<double> &ticks() const { return marks; }

private:
  bool logarithmic = false;
  double low = 0, high = 1;
  std::vector<double> marks;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_SCALE_H
