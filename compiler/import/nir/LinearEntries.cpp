// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/LinearEntries.h"

#include <algorithm>

namespace dendrolith::nir {

using MapForm = LinearMap::MapForm;

static bool areFloats(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](double value) {
    return double(float(value)) == value;
  });
}

LinearMap makeMap(MapForm kind, uint64_t rows, uint64_t cols,
                  std::vector<double> values, bool float32, std::string name) {
  LinearMap map;
  map.kind = kind;
  map.rows = rows;
  map.cols = cols;
  // Products and sums of floats need not be floats.
  map.float32 = float32 && areFloats(values);
  map.values = share(std::move(values));
  map.name = std::move(name);
  return map;
}

namespace {

struct MatrixEntry {
  uint64_t row, column;
  double value;
};

/// Entries by column: those of column j are [begin[j], begin[j + 1]).
struct Columns {
  std::vector<uint64_t> begin;
  std::vector<MatrixEntry> entries;

  explicit Columns(const LinearMap &map) : begin(map.cols + 1, 0) {
    forEach(map,
            [&](uint64_t, uint64_t column, double) { ++begin[column + 1]; });
    for (uint64_t j = 0; j < map.cols; ++j)
      begin[j + 1] += begin[j];
    entries.resize(begin.back());
    std::vector<uint64_t> next(begin.begin(), begin.end() - 1);
    forEach(map, [&](uint64_t row, uint64_t column, double value) {
      entries[next[column]++] = {row, column, value};
    });
  }
};

/// Builds a map column by column; entries of a row add up.
class ColumnWriter {
public:
  explicit ColumnWriter(uint64_t rows) : sum(rows, 0.0), isUsed(rows, false) {}
  void add(uint64_t row, double value) {
    if (!isUsed[row])
      used.push_back(uint32_t(row));
    isUsed[row] = true;
    sum[row] += value;
  }
  void close(uint64_t column) {
    std::sort(used.begin(), used.end());
    for (uint32_t row : used) {
      if (sum[row] != 0) {
        positions.push_back({row, uint32_t(column)});
        values.push_back(sum[row]);
      }
      sum[row] = 0;
      isUsed[row] = false;
    }
    used.clear();
  }
  /// Gives the map, dense where that is the smaller form.
  LinearMap take(uint64_t cols, bool float32, std::string name) {
    uint64_t rows = sum.size();
    if (values.size() * 2 <= rows * cols) {
      LinearMap map = makeMap(MapForm::Sparse, rows, cols, std::move(values),
                              float32, std::move(name));
      map.positions =
          std::make_shared<const std::vector<Position>>(std::move(positions));
      return map;
    }
    std::vector<double> all(rows * cols, 0.0);
    for (size_t i = 0; i < values.size(); ++i)
      all[positions[i].row * cols + positions[i].column] = values[i];
    return makeMap(MapForm::Dense, rows, cols, std::move(all), float32,
                   std::move(name));
  }

private:
  std::vector<double> sum;
  std::vector<bool> isUsed;
  std::vector<uint32_t> used;
  std::vector<Position> positions;
  std::vector<double> values;
};

} // namespace

LinearMap composeEntries(const LinearMap &after, const LinearMap &before) {
  Columns a(after), b(before);
  ColumnWriter writer(after.rows);
  for (uint64_t column = 0; column < before.cols; ++column) {
    for (uint64_t i = b.begin[column]; i < b.begin[column + 1]; ++i) {
      uint64_t middle = b.entries[i].row;
      for (uint64_t k = a.begin[middle]; k < a.begin[middle + 1]; ++k)
        writer.add(a.entries[k].row, a.entries[k].value * b.entries[i].value);
    }
    writer.close(column);
  }
  LinearMap out = writer.take(before.cols, after.float32 && before.float32,
                              after.name.empty() ? before.name : after.name);
  out.shared = after.shared || before.shared;
  return out;
}

LinearMap addEntries(const LinearMap &a, const LinearMap &b) {
  Columns left(a), right(b);
  ColumnWriter writer(a.rows);
  for (uint64_t column = 0; column < a.cols; ++column) {
    for (const Columns *from : {&left, &right})
      for (uint64_t i = from->begin[column]; i < from->begin[column + 1]; ++i)
        writer.add(from->entries[i].row, from->entries[i].value);
    writer.close(column);
  }
  LinearMap out = writer.take(a.cols, a.float32 && b.float32,
                              a.name.empty() ? b.name : a.name);
  out.shared = a.shared || b.shared;
  return out;
}

} // namespace dendrolith::nir
