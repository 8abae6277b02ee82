// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run by published conventions, on its page.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNPAPER_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNPAPER_H

#include "simulator/report/html/RunView.h"

#include <string>

namespace dendrolith::report::html {

/// Nothing where no convention has a figure.
std::string byConvention(const RunView &run);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNPAPER_H
