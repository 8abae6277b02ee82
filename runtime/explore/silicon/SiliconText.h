// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of measured and predicted values, for people and for programs.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_SILICONTEXT_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_SILICONTEXT_H

#include "runtime/explore/silicon/Calibrate.h"
#include "runtime/explore/silicon/Compare.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::silicon {

std::string formatComparisons(const std::vector<Comparison> &all);

/// {schema, rows: [...], summary: [...]}.
nlohmann::ordered_json toJson(const std::vector<Comparison> &all);

/// "1.164", with four digits.
std::string digits(double value);
/// "+46 %".
std::string percent(double share);

// A calibration for people.

std::string formatCalibration(const Calibration &fitted);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_SILICONTEXT_H
