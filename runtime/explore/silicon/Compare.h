// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured beside predicted, row by row.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_COMPARE_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_COMPARE_H

#include "runtime/explore/silicon/Workbench.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::silicon {

/// Counts that are within this share of each other are those of one activity.
constexpr double kSameActivity = 0.05;

struct Interval {
  double low = 0, high = 0;
  /// What is predicted between them; a band of energy has none.
  std::optional<double> value = std::nullopt;
  /// The value, or the geometric mean of both ends, which stands for a band.
  double best() const;
};

struct Comparison {
  const Measurements *file = nullptr;
  const Measurement *row = nullptr;
  std::string command; ///< empty where there is nothing to run
  std::string because; ///< why it is not compared; else empty
  Interval predicted;
  double error = 0; ///< of the best, signed, as a share of the measured value
  bool isInside = false; ///< the measured value, as far as it is known

  bool isCompared() const { return because.empty(); }
  std::string network() const;
};

/// Makes of each row a comparison. With `instead`, a chip by name or path that
/// is a variation of `of`, rows of that chip are predicted by it, and others
/// are left out. Throws Error for a model that is another one than measured.
std::vector<Comparison> compare(const std::vector<Measurements> &measured,
                                Workbench &bench,
                                const std::string &instead = "");

/// The chip of which `target` has measurements: itself, or its base.
std::string measuredChip(const Target &target);

struct Agreement {
  std::string chip;
  Quantity quantity = Quantity::Other;
  uint64_t rows = 0, inside = 0;
  double absolute = 0, bias = 0; ///< means of errors
  std::string worst;             ///< id of a row
};
/// How well predictions agree, by chip and quantity.
std::vector<Agreement> summarise(const std::vector<Comparison> &all);

/// What a row is predicted to be. Throws Error.
Interval predict(const Measurement &row, const Activity &activity,
                 const std::vector<CostTable> &prices);
/// Judges a prediction.
void judge(Comparison &comparison, Interval predicted);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_COMPARE_H
