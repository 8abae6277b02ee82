// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of a page. Each number stands there twice: as people read it, and to
// the last digit for the file that a reader may save.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_TABLE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_TABLE_H

#include "simulator/report/html/Markup.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::report::html {

struct Cell {
  std::string shown;                ///< markup
  std::optional<std::string> exact; ///< what is saved; else the text
};

Cell text(const std::string &plain);
/// An integer in groups of three; nothing where it is null.
Cell count(const nlohmann::ordered_json &number);
/// A number in a unit; nothing where it is null.
Cell inUnit(const nlohmann::ordered_json &number, const Unit &unit);
/// A number by a format of fmt ("{:.1f} %"), of `factor` times its value.
Cell number(const nlohmann::ordered_json &number, const char *format,
            double factor = 1);

class Table {
public:
  struct Heading {
    std::string title; ///< markup
    std::string key;   ///< the head in a saved file: "energy_high_pJ"
    bool isNumber = true;
  };

  /// `name` is that of the file: "energy-by-event".
  Table(std::string name, std::string caption, std::vector<Heading> columns)
      : name(std::move(name)), caption(std::move(caption)),
        columns(std::move(columns)) {}

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
  bool empty() const { return rows.empty(); }
  /// Rows beyond this are left out, and the table says so: where there are
  /// more, `rest` says where all of them are.
  void bound(size_t most, std::string rest) {
    this->most = most;
    this->rest = std::move(rest);
  }
  std::string markup() const;

private:
  std::string name, caption, rest = "the stored result has all";
  std::vector<Heading> columns;
  std::vector<std::vector<Cell>> rows;
  size_t most = 1000;
};

/// Tables that open on request, below the picture that shows them.
std::string folded(const std::string &summary, const std::string &tables);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_TABLE_H
