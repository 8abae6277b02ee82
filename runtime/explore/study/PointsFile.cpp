// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/PointsFile.h"

#include "targets/support/Error.h"
#include "targets/support/InputFile.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace dendrolith::explore {
namespace {

constexpr uint64_t kPointsFileBytes = uint64_t(1) << 28;

[[noreturn]] void failAt(const std::string &path, size_t line, size_t column,
                         const std::string &message) {
  throw Error(fmt::format("{}:{}:{}: {}", path, line, column, message));
}

struct PointsCell {
  std::string text;
  size_t column; // from 1 on
};

std::vector<PointsCell> cellsOf(const std::string &line,
                                const std::string &path, size_t number) {
  std::vector<PointsCell> cells;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find(',', at), line.size());
    size_t first = line.find_first_not_of(" \t\r", at), last = end;
    first = std::min(first, end);
    while (last > first &&
           std::isspace(static_cast<unsigned char>(line[last - 1])))
      --last;
    const std::string text = line.substr(first, last - first);
    if (text.empty())
      failAt(path, number, first + 1, "expected a value, found none");
    if (text.find('"') != std::string::npos)
      failAt(path, number, first + 1,
             "expected a value without quotation marks");
    cells.push_back({text, first + 1});
    at = end + 1;
  }
  return cells;
}

} // namespace

void readPointsFile(const std::string &path, Study &study) {
  const std::string text = readFile(path, kPointsFileBytes);
  std::vector<std::map<std::string, uint32_t>> numbers; // of values, by axis
  std::set<std::vector<uint32_t>> seen;
  size_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    const std::vector<PointsCell> cells = cellsOf(line, path, number);
    if (study.axes.empty()) {
      for (const PointsCell &cell : cells) {
        for (const Axis &axis : study.axes)
          if (axis.name == cell.text)
            failAt(path, number, cell.column,
                   fmt::format("a second column is named '{}'",
                               printable(cell.text)));
        study.axes.push_back(
            {cell.text,
             {},
             fmt::format("{}:{}:{}", path, number, cell.column)});
      }
      numbers.resize(cells.size());
      continue;
    }
    if (cells.size() != study.axes.size())
      failAt(path, number, 1,
             fmt::format("expected {} values, one for each axis of the head, "
                         "found {}",
                         study.axes.size(), cells.size()));
    std::vector<uint32_t> row;
    for (size_t i = 0; i < cells.size(); ++i) {
      Axis &axis = study.axes[i];
      const auto [known, isNew] =
          numbers[i].emplace(cells[i].text, uint32_t(axis.values.size()));
      if (isNew)
        axis.values.push_back(cells[i].text);
      row.push_back(known->second);
    }
    if (!seen.insert(row).second)
      failAt(path, number, 1, "this design is in the file before");
    study.strategy.rows.push_back(std::move(row));
  }
  if (study.strategy.rows.empty())
    throw Error(path + ": expected a head with the names of axes and a line "
                       "for each design, found no design");
}

} // namespace dendrolith::explore
