// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of one run as a page: from what the run stored, and nothing else.
// Files, seconds and memory of the machine are no part of it, so that the same
// run gives the same bytes.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNPAGE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNPAGE_H

#include "simulator/report/html/Page.h"
#include "simulator/report/html/Rasters.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report::html {

/// `result` and `tables` are result.json, with its summary, and tables.json,
/// null where that is missing; `place` is that of result.json, for messages.
/// Throws Error, and nlohmann's exceptions for what is no result.
Page runPage(const nlohmann::ordered_json &result,
             const nlohmann::ordered_json &tables, const Recorded &recorded,
             const std::string &place);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNPAGE_H
