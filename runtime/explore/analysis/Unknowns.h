// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of points as sums over what is not known. A price, or the area of a
// part, is one number for all designs that are made with it: their values rise
// and fall together, so that the difference of two is far narrower than their
// bands.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_UNKNOWNS_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_UNKNOWNS_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace dendrolith::explore {

/// What one unknown adds to a value: a fixed number of times itself.
struct Addend {
  uint32_t unknown = 0;     ///< kExact where there is nothing unknown
  double low = 0, high = 0; ///< at the ends of the unknown
  bool operator==(const Addend &o) const {
    return unknown == o.unknown && low == o.low && high == o.high;
  }
};
constexpr uint32_t kExact = 0;

/// By unknown, each at most once.
using Addends = std::vector<Addend>;

/// Between which ends b - a lies, wherever the unknowns do. It is linear in
/// each of them, so it is least and most at their ends.
Band differenceOf(const Addends &a, const Addends &b);

/// Numbers the unknowns of a study's points.
class Unknowns {
public:
  explicit Unknowns(const Study &study);

  /// The unknowns that a value is the sum of, by its name; nothing where the
  /// point does not have it. Those of `energy` are the prices of events, of
  /// `area` the areas of a chip's parts, of static energy and power the static
  /// power; those of other bands are of the point alone.
  std::optional<Addends> addendsOf(const Point &point, const std::string &name);

private:
  using Parts = std::vector<std::pair<std::string, Band>>;
  uint32_t numberOf(const std::string &unknown);
  /// `columns` say which unknowns a design has: another setting, other ones.
  void add(Addends &addends, const Parts &parts, const char *kind,
           const std::vector<std::string> &columns, const Design &design);

  std::vector<std::string> ofPrices, ofAreas;
  std::unordered_map<std::string, uint32_t> numbers;
  uint32_t last = kExact;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_UNKNOWNS_H
