// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ECharts, which draws what a reader may zoom into. It is no part of this
// repository: npm fetches it when Dendrolith is configured (README.md), and a
// page without it has the same pictures and tables, but no zoom.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_LIBRARY_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_LIBRARY_H

#include <optional>
#include <string>

namespace dendrolith::report::html {

struct Library {
  std::string code, licence, notice; ///< contents of its files
};

/// The folder $DENDROLITH_ECHARTS, else share/dendrolith/echarts beside the
/// folder of this program. Nothing where a file of it is missing; Error where
/// $DENDROLITH_ECHARTS names a folder that does not hold it.
std::optional<Library> findLibrary();

/// One line for those who miss it: what, and how to get it.
std::string missingLibrary();

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_LIBRARY_H
