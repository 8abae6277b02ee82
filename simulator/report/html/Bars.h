// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bars beside their names, which need no script and fit every width.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_BARS_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_BARS_H

#include <string>
#include <vector>

namespace dendrolith::report::html {

struct Bar {
  std::string name;          ///< plain text
  double low = 0, high = 0;  ///< solid up to low, hatched from there to high
  std::string value;         ///< markup beside it
  std::string note = "";     ///< markup below the name
  std::string style = "one"; ///< a class of page.css
  bool isBounded = true;     ///< whether there is a track at all
};

/// One below the other; `full` is the length of the whole track, 0 that of the
/// longest bar.
std::string bars(const std::vector<Bar> &rows, double full = 0);

/// Parts of a whole in one bar, with a legend that has their shares.
struct Share {
  std::string name; ///< plain text
  double value = 0;
  std::string style; ///< a class of page.css
};
std::string stack(const std::vector<Share> &parts);

/// How a band is drawn, in words and as it looks.
std::string bandLegend();

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_BARS_H
