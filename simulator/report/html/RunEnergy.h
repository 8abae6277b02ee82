// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy of a run on its page.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNENERGY_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNENERGY_H

#include "simulator/report/html/RunView.h"

#include <string>

namespace dendrolith::report::html {

std::string energyByEvent(const RunView &run);
std::string energyByLayer(const RunView &run);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNENERGY_H
