// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two points beside each other: what differs in their designs, and which of
// their differences are certain.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_COMPARE_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_COMPARE_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"
#include "simulator/report/result/Bootstrap.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// What is certain of a difference b - a.
enum class Verdict { Less, Equal, More, Undecided };
const char *nameOf(Verdict verdict);
/// Undecided where 0 lies between the ends or is one of them, Equal where both
/// are 0.
Verdict verdictOf(const Band &difference);

struct ValueDifference {
  std::string name;
  std::optional<Band> a, b;       ///< nothing where it is not known
  std::optional<Band> difference; ///< wherever the unknowns of both lie
};

/// Energy where both points have the same prices, wherever within their bands
/// those lie. The bands of two points then rise and fall together, and their
/// difference is far narrower than the bands: that of an event is the price
/// times a fixed number, so it lies between its ends at the low and at the high
/// price; and as each event has a price of its own, these add up.
struct SamePrices {
  std::vector<ValueDifference> events; ///< also those of one point alone
  Band total;
};

/// Between which ends b - a of a value lies, as both owe it to the same unknown
/// prices and areas (Unknowns.h). Nothing where a point has no such value.
std::optional<Band> differenceOf(const Study &study, const Point &a,
                                 const Point &b, const std::string &name);

/// On the same samples: the mean difference of a sample, and the interval that
/// holds it for other samples of the kind (bootstrap, 95 %).
struct PairedMean {
  double difference = 0;
  sim::Interval interval;
};

/// On the same samples: how many only one of the points has right. `chance` is
/// how probable so uneven a split is where both are equally good (McNemar's
/// exact test); the interval is that of the difference (bootstrap, 95 %).
struct PairedRight {
  uint64_t samples = 0, onlyA = 0, onlyB = 0;
  double chance = 1;
  PairedMean mean;
};

struct Comparison {
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>>
      settings; ///< the columns in which they differ, with a's and b's
  std::vector<ValueDifference> values;
  std::optional<SamePrices> samePrices;
  std::vector<ValueDifference> layers;
  std::optional<PairedMean> latency;               ///< us
  std::optional<PairedMean> energyLow, energyHigh; ///< uJ, at either end
  std::optional<PairedRight> right;
  std::string unpaired; ///< why there is nothing paired; "" where there is
};

/// Both are done. Throws Error where one is not.
Comparison compare(const Study &study, const StoredPoint &a,
                   const StoredPoint &b);

/// What is to be believed of a value: the paired interval and the same prices
/// where there are any, else the bands.
Verdict verdictOf(const Comparison &comparison, const std::string &name);

/// The exact two-sided probability that a fair coin splits so unevenly.
double mcnemar(uint64_t onlyA, uint64_t onlyB);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_COMPARE_H
