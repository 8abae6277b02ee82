// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes two studies the same: all that their points depend on, and which
// designs they ask for. Files count by their content, not by where they lie.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STORE_IDENTITY_H
#define DENDROLITH_RUNTIME_EXPLORE_STORE_IDENTITY_H

#include "runtime/explore/study/Study.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::explore {

/// {"points": what a point depends on, "designs": which there are}. Reads all
/// files of the study; throws Error.
nlohmann::ordered_json identityOf(const Study &study);

/// The first thing that differs, "designs.vary.microcode.lanes is [1,4], not
/// [1,4,16]"; "" where nothing does.
std::string difference(const nlohmann::ordered_json &is,
                       const nlohmann::ordered_json &wanted);

/// Whether `wanted` has all designs of `is`, and only more values on its axes
/// or more repeats: the points that are there are points of it, too.
bool hasGrown(const nlohmann::ordered_json &is,
              const nlohmann::ordered_json &wanted);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STORE_IDENTITY_H
