// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a run on its page.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNTIME_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNTIME_H

#include "simulator/report/html/RunView.h"

#include <string>

namespace dendrolith::report::html {

/// The parts of the time, and who closed steps.
std::string latencyParts(const RunView &run);
std::string latencyBySample(const RunView &run);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNTIME_H
