// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_TEXTTABLE_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_TEXTTABLE_H

#include <algorithm>
#include <string>
#include <vector>

namespace dendrolith::report {

/// Prints 1234567 as "1,234,567".
inline std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (int at = int(text.size()) - 3; at > 0; at -= 3)
    text.insert(size_t(at), ",");
  return text;
}

/// Pads columns to their widest cell. A cell that begins like a number stands
/// to the right, another one to the left.
class TextTable {
public:
  explicit TextTable(std::vector<std::string> header) {
    rows.push_back(std::move(header));
  }

  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }

  std::string text() const {
    std::vector<size_t> width(rows.front().size(), 0);
    for (const auto &row : rows)
      for (size_t c = 0; c < row.size(); ++c)
        width[c] = std::max(width[c], row[c].size());
    std::string out;
    for (const auto &row : rows) {
      std::string line = " ";
      for (size_t c = 0; c < row.size(); ++c) {
        std::string space(width[c] - row[c].size(), ' ');
        bool right =
            !row[c].empty() && &row != &rows.front() &&
            std::string("0123456789-+.>").find(row[c][0]) != std::string::npos;
        line += " " + (right ? space + row[c] : row[c] + space);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

private:
  std::vector<std::vector<std::string>> rows;
};

// Cells of CSV, as spreadsheets read them.

/// A cell by RFC 4180: one with a comma, quote or line's end stands in quotes.
/// What a spreadsheet would take for a formula gets a ' in front, which makes
/// it a text; a number stays a number.
std::string csvCell(const std::string &text);

/// A text for LaTeX: every letter that it takes for more than itself is
/// escaped.
std::string latexText(const std::string &text);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_TEXTTABLE_H
