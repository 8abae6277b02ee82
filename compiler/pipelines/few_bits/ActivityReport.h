// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What layers do before and after their weights were rounded, in words: equal
// scores can hide that a layer fires otherwise than it did.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITYREPORT_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITYREPORT_H

#include "compiler/pipelines/few_bits/Activity.h"
#include "compiler/transforms/quantise/WeightChoices.h"

#include <map>
#include <string>
#include <utility>

namespace dendrolith {

class ActivityReport {
public:
  /// Notes what populations do with their integers, as the runs for later
  /// layers show it; the last note of a population counts.
  void note(const Activity &activity);

  /// Says so in the choices for each population that was noted, beside what it
  /// did `before`.
  void write(dend::NetworkOp network, const Activity &before,
             WeightChoices &choices) const;

private:
  // Mean potential and mean message, by population.
  std::map<std::string, std::pair<double, double>> seen;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITYREPORT_H
