// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RASTERPICTURE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RASTERPICTURE_H

#include "simulator/report/html/Rasters.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report::html {

/// Who sent when in the first sample: populations one below the other.
std::string rasterPicture(const Rasters &rasters);

/// Why the picture has no mark for each event; empty where it has.
std::string rasterNote(const Rasters &rasters);

/// How often each population sent, as a table.
std::string rasterTable(const Rasters &rasters);

/// {rows: [{name, neurons, ticks}], samples, marks (that are drawn as such at
/// the most), every, events: [[tick, row, neuron, ...] of sample 0, ...]} for
/// the program that zooms.
nlohmann::ordered_json rasterData(const Rasters &rasters);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RASTERPICTURE_H
