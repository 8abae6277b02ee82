// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chip of a run on its page.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNCHIP_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNCHIP_H

#include "simulator/report/html/RunView.h"

#include <string>

namespace dendrolith::report::html {

std::string chipLoad(const RunView &run);
/// {cores, measures: [{name, values}]} for the program that colours the picture
/// anew; null where there is no picture.
nlohmann::ordered_json chipData(const RunView &run);
/// Area and leakage by part of the chip.
std::string siliconOf(const RunView &run);
std::string fitOf(const RunView &run);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNCHIP_H
