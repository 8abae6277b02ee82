// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a value moves where a time or a price that was not measured on this
// chip is another one: each alone, and all of a kind (assumed, scaled,
// inherited) together. A program stays the same, as no result depends on them.
// Areas and leakages are bands already and are left out.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_SENSITIVITY_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_SENSITIVITY_H

#include "runtime/explore/analysis/Tornado.h"
#include "targets/loader/price/CostTable.h"

#include <functional>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// The baseline of a study with one number, or all of a kind, times a factor.
struct Variation {
  std::string name;  ///< "timing.scaled.per_word", "all assumed"
  std::string kind;  ///< of the number; several where tables differ
  std::string usual; ///< what it is, with its unit; "" of a kind
  double factor = 1;
  Design design;
};

/// All of a chip whose times are those of `timing` and whose prices are those
/// of `tables`, the ends of a band. Kinds come first, then numbers in the order
/// of the files. Numbers that are 0 stay 0 and are left out.
std::vector<Variation> variationsOf(const Design &baseline,
                                    const TimingSet &timing,
                                    const std::vector<CostTable> &tables,
                                    const std::vector<double> &factors);

struct Sensitivity {
  Variation variation;
  std::optional<Band> value; ///< nothing where it could not be measured
  std::optional<Move> move;
};

/// Measures each, and says by how much the value leaves that of `base`.
std::vector<Sensitivity>
sensitivitiesOf(const std::vector<Variation> &variations, const Point &base,
                const std::string &value,
                const std::function<Point(const Design &)> &measure);

/// Kinds, then the numbers that move the value most. Those that do not move it
/// by 0.05 % are counted.
std::string textOf(const std::vector<Sensitivity> &sensitivities,
                   const Point &base, const std::string &value);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_SENSITIVITY_H
