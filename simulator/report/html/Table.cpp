// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/Table.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report::html {

/// Bytes of a cell that gets a wide column.
static constexpr size_t kLong = 40;

Cell text(const std::string &plain) { return {escape(plain), std::nullopt}; }

Cell count(const nlohmann::ordered_json &number) {
  if (number.is_null())
    return {"", ""};
  return {number.is_number_unsigned() ? grouped(number.get<uint64_t>())
                                      : escape(number.dump()),
          exact(number)};
}

Cell inUnit(const nlohmann::ordered_json &number, const Unit &unit) {
  return number.is_null()
             ? Cell{"", ""}
             : Cell{unit.number(number.get<double>()), exact(number)};
}

Cell number(const nlohmann::ordered_json &number, const char *format,
            double factor) {
  return number.is_null() ? Cell{"", ""}
                          : Cell{fmt::format(fmt::runtime(format),
                                             factor * number.get<double>()),
                                 exact(number)};
}

std::string Table::markup() const {
  std::string out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
      "<table data-csv=\"{1}\"><caption>{0}</caption>\n<thead><tr>",
      escape(caption), escape(name));
  for (const Heading &column : columns)
    out += fmt::format("<th scope=\"col\" data-key=\"{}\"{}>{}</th>",
                       escape(column.key),
                       column.isNumber ? " class=\"n\"" : "", column.title);
  out += "</tr></thead>\n<tbody>\n";
  for (size_t r = 0; r < rows.size() && r < most; ++r) {
    out += "<tr>";
    for (size_t c = 0; c < rows[r].size(); ++c) {
      const Cell &cell = rows[r][c];
      // The first column names the row, for those who hear the table.
      const char *tag = c == 0 ? "th scope=\"row\"" : "td";
      out += fmt::format("<{}{}{}>{}</{}>", tag,
                         columns[c].isNumber         ? " class=\"n\""
                         : cell.shown.size() > kLong ? " class=\"long\""
                                                     : "",
                         cell.exact ? " data-v=\"" + escape(*cell.exact) + "\""
                                    : std::string(),
                         cell.shown, c == 0 ? "th" : "td");
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (rows.size() > most)
    out += fmt::format("<p class=\"note\">The first {} of {} rows; {}.</p>\n",
                       grouped(most), grouped(rows.size()), escape(rest));
  return out;
}

std::string folded(const std::string &summary, const std::string &tables) {
  return "<details class=\"tables\"><summary>" + escape(summary) +
         "</summary>\n" + tables + "</details>\n";
}

} // namespace dendrolith::report::html
