// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers, mapping and choices of a run on its page.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNCHOICES_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNCHOICES_H

#include "simulator/report/html/RunView.h"

#include <string>

namespace dendrolith::report::html {

std::string scoreDetails(const RunView &run);
std::string neuroBenchTable(const RunView &run);
std::string mappingOf(const RunView &run);
std::string choicesOf(const RunView &run);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNCHOICES_H
