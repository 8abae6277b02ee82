// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a study may use: what can be varied, and what is measured.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_AXISNAMES_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_AXISNAMES_H

#include "targets/loader/Target.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::explore {

/// Options of the compiler, "compile.map-for" and so on.
const std::vector<std::string> &compileAxes();

/// Whether the values of an axis may be names of files, from the study's folder
/// on.
bool namesFiles(const std::string &axis);

/// Why an axis is none of this chip, with what it may have meant; nothing where
/// it is one and the chip takes one of the values at least, alone or with one
/// of another axis: numbers that depend on each other change together.
std::optional<std::string>
refusal(const Target &chip, const std::string &axis,
        const std::vector<std::string> &values,
        const std::vector<std::pair<std::string, std::string>> &others = {});

/// What of a point can be minimised, bounded or printed (Point::values).
const std::vector<std::string> &valueNames();
/// The name without an end of a band: "energy" of "energy.high".
std::string bandName(const std::string &name);

/// How many of the value's own unit one of another unit is; "" is its own.
/// Nothing where the value has no such unit.
std::optional<double> unitOf(const std::string &value, const std::string &unit);
/// "pJ, nJ, uJ, mJ, J" for messages; empty where a value has none.
std::vector<std::string> unitsOf(const std::string &value);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_AXISNAMES_H
