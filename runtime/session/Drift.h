// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far two runs agree along their sequences: integers whose errors add up
// would leave the float network step by step.

#ifndef DENDROLITH_RUNTIME_SESSION_DRIFT_H
#define DENDROLITH_RUNTIME_SESSION_DRIFT_H

#include "runtime/session/Recording.h"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>

namespace dendrolith::session {

/// Pearson's correlation of the values that two runs give their first output,
/// over all samples and elements. None where one of them never changes.
struct Drift {
  static constexpr size_t kStretches = 10;

  std::optional<double> all;
  /// The same in stretches of the sequence, a tenth of the ticks each.
  std::array<std::optional<double>, kStretches> stretches;
};

/// Nothing for sequences of fewer than 100 ticks, whose stretches say little,
/// and where no output is.
std::optional<Drift> driftOf(const Recording &a, const Recording &b);

/// The `correlation` of the comparison in result.json.
nlohmann::ordered_json toJson(const std::optional<Drift> &drift);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_DRIFT_H
