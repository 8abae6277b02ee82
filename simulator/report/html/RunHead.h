// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands above the sections of the page of a run.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNHEAD_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNHEAD_H

#include "simulator/report/html/RunView.h"

#include <string>

namespace dendrolith::report::html {

std::string warningList(const RunView &run);
std::string headline(const RunView &run);
/// What chip this is, and which kinds of numbers say so.
std::string scopeOf(const RunView &run);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNHEAD_H
