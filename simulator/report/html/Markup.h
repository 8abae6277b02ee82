// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that becomes part of a page. What a model or a chip is called comes from
// files of others: it is text on the page, and never part of its markup.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_MARKUP_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_MARKUP_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace dendrolith::report::html {

/// Text between tags or in quotes of an attribute. Control characters and bytes
/// that are no UTF-8 become '?', as in messages.
std::string escape(const std::string &text);

/// Like escape(), of a text of many lines, which stay lines.
std::string escapeLines(const std::string &text);

/// JSON as the content of a <script>: no '<' is left that could end it.
std::string scriptData(const nlohmann::ordered_json &data);

/// A program as the content of a <script>, the same program without what would
/// end it: "</script" and "<!--" in its strings are written with a backslash.
std::string scriptCode(std::string code);

/// A number as result.json has it, for what a program reads.
std::string exact(const nlohmann::ordered_json &number);

/// Like escape(), with the signs of micro and square: "area (mm2)", "1.4 uJ".
std::string withUnits(const std::string &plain);

/// "1.423 uJ" like that, and a space that does not break.
std::string prettyUnits(const std::string &quantity);

/// One end, or both where they differ, in the unit that suits them.
std::string energyRange(double lowPicojoules, double highPicojoules);
std::string latencyText(double nanoseconds);

/// A unit that suits a column of values whose largest is `most`.
struct Unit {
  std::string name;
  double size; ///< in the unit of the values
  std::string number(double value) const;
};
Unit energyUnit(double mostPicojoules);
Unit timeUnit(double mostNanoseconds);

/// Round values from 0 on, of which the last is `most` or a little more.
std::vector<double> ticksTo(double most);
/// A number of an axis: "0", "0.25", "1500".
std::string tickText(double value);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_MARKUP_H
