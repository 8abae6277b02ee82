// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/Markup.h"

#include "simulator/report/text/Lines.h"

#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace dendrolith::report::html {

/// Longer names of files are cut: a page shows them, and need not hold them.
constexpr size_t kLongest = 4096;

static void replaceAll(std::string &text, const std::string &what,
                       const std::string &by) {
  for (size_t at = text.find(what); at != text.npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string escape(const std::string &text) {
  std::string out = printable(text, kLongest);
  replaceAll(out, "&", "&amp;"); // first: the others bring their own
  replaceAll(out, "<", "&lt;");
  replaceAll(out, ">", "&gt;");
  replaceAll(out, "\"", "&quot;");
  replaceAll(out, "'", "&#39;");
  return out;
}

std::string escapeLines(const std::string &text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    out += escape(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return out;
}

std::string scriptData(const nlohmann::ordered_json &data) {
  std::string text = data.dump();
  replaceAll(text, "<", "\\u003c");
  return text;
}

std::string scriptCode(std::string code) {
  static const std::string end = "</script";
  for (auto at = code.begin();;) {
    at = std::search(at, code.end(), end.begin(), end.end(),
                     [&](char found, char wanted) {
                       return std::tolower(uint8_t(found)) == wanted;
                     });
    if (at == code.end())
      break;
    at = code.insert(at + 1, '\\') + 1;
  }
  replaceAll(code, "<!--", "\\x3c!--");
  return code;
}

std::string exact(const nlohmann::ordered_json &number) {
  return number.is_null() ? "" : number.dump();
}

std::string withUnits(const std::string &plain) {
  std::string text = escape(plain);
  for (const auto &[unit, sign] :
       {std::pair<std::string, const char *>{"uJ", "&micro;J"},
        {"us", "&micro;s"},
        {"mm2", "mm&sup2;"}})
    for (size_t at = text.find(unit); at != text.npos;
         at = text.find(unit, at + 1)) {
      const size_t end = at + unit.size();
      if (at && (text[at - 1] == ' ' || text[at - 1] == '(') &&
          (end == text.size() ||
           (text[end] != '_' &&
            !std::isalnum(static_cast<unsigned char>(text[end])))))
        text.replace(at, unit.size(), sign);
    }
  return text;
}

std::string prettyUnits(const std::string &quantity) {
  std::string text = withUnits(quantity);
  replaceAll(text, " ", "&nbsp;");
  return text;
}

std::string energyRange(double low, double high) {
  return prettyUnits(energyText(low)) +
         (low == high ? "" : " to " + prettyUnits(energyText(high)));
}

std::string latencyText(double nanoseconds) {
  return prettyUnits(timeText(nanoseconds));
}

std::string Unit::number(double value) const {
  return fmt::format("{:.3f}", value / size);
}

Unit energyUnit(double most) {
  return most >= 1e10  ? Unit{"mJ", 1e9}
         : most >= 1e7 ? Unit{"&micro;J", 1e6}
         : most >= 1e4 ? Unit{"nJ", 1e3}
                       : Unit{"pJ", 1};
}

Unit timeUnit(double most) {
  return most >= 2e6   ? Unit{"ms", 1e6}
         : most >= 2e3 ? Unit{"&micro;s", 1e3}
                       : Unit{"ns", 1};
}

std::vector<double> ticksTo(double most) {
  if (!(most > 0) || !std::isfinite(most))
    return {0, 1};
  const double rough = most / 4;
  const double ten = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * ten;
  for (double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * ten >= rough) {
      step = factor * ten;
      break;
    }
  if (!(step > 0)) // too small for a step
    return {0, most};
  std::vector<double> ticks;
  for (int i = 0; ticks.empty() || ticks.back() < most; ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::string tickText(double value) { return fmt::format("{:.6g}", value); }

} // namespace dendrolith::report::html
