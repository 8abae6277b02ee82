// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ECharts, which draws what a reader may zoom into. It is no part of this
// repository: npm fetches it when Neurite is configured (README.md), and a page
// without it has the same pictures and tables, but no zoom.

#ifndef NEURITE_SIMULATOR_REPORT_HTML_LIBRARY_H
#define NEURITE_SIMULATOR_REPORT_HTML_LIBRARY_H

#include <optional>
#include <string>

namespace neurite::report::html {

struct Library {
  std::string code, licence, notice; ///< contents of its files
};

/// The folder $NEURITE_ECHARTS, else share/neurite/echarts beside the folder of
/// this program. Nothing where a file of it is missing; Error where
/// $NEURITE_ECHARTS names a folder that does not hold it.
std::optional<Library> findLibrary();

/// One line for those who miss it: what, and how to get it.
std::string missingLibrary();

} // namespace neurite::report::html

#endif // NEURITE_SIMULATOR_REPORT_HTML_LIBRARY_H
