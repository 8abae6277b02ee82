// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of the page of one run, as markup; empty where the run does not
// know what belongs there.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNSECTIONS_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNSECTIONS_H

#include "targets/loader/Target.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace dendrolith::report::html {

struct RunView {
  const nlohmann::ordered_json &result, &tables; ///< null where it is missing
  std::optional<Target> target; ///< the chip as it was; none of a float network
  double samples;
};

std::string warningList(const RunView &run);
std::string headline(const RunView &run);
/// What chip this is, and which kinds of numbers say so.
std::string scopeOf(const RunView &run);

std::string energyByEvent(const RunView &run);
std::string energyByLayer(const RunView &run);

/// The parts of the time, and who closed steps.
std::string latencyParts(const RunView &run);
std::string latencyBySample(const RunView &run);

std::string chipLoad(const RunView &run);
/// Area and leakage by part of the chip.
std::string siliconOf(const RunView &run);
std::string fitOf(const RunView &run);

std::string scoreDetails(const RunView &run);
std::string neuroBenchTable(const RunView &run);
std::string mappingOf(const RunView &run);
std::string choicesOf(const RunView &run);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNSECTIONS_H
