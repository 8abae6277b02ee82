// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/LinearMap.h"

#include <algorithm>

namespace neurite::nir {

using Kind = LinearMap::Kind;
using dend::Window;

static Values share(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

static bool areFloats(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](double value) {
    return double(float(value)) == value;
  });
}

static LinearMap make(Kind kind, uint64_t rows, uint64_t cols,
                      std::vector<double> values, bool float32,
                      std::string name) {
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

LinearMap identity(uint64_t size) {
  LinearMap map;
  map.rows = map.cols = size;
  return map;
}

LinearMap diagonal(std::vector<double> values, bool float32, std::string name) {
  uint64_t n = values.size();
  return make(Kind::Diagonal, n, n, std::move(values), float32,
              std::move(name));
}

LinearMap convolution(const Window &window, std::vector<double> values,
                      bool float32, std::string name) {
  LinearMap map =
      make(Kind::Conv, uint64_t(window.targets()), uint64_t(window.sources()),
           std::move(values), float32, std::move(name));
  map.window = window;
  map.shared = true;
  return map;
}

static double diagonalAt(const LinearMap &map, uint64_t i) {
  return map.kind == Kind::Identity ? 1.0 : (*map.values)[i];
}

/// Calls use(row, column, value) for each entry of the map, zeros of a dense
/// one left out.
template <typename F> static void forEach(const LinearMap &map, F use) {
  switch (map.kind) {
  case Kind::Identity:
  case Kind::Diagonal:
    for (uint64_t i = 0; i < map.rows; ++i)
      use(i, i, diagonalAt(map, i));
    break;
  case Kind::Dense:
    for (uint64_t i = 0; i < map.values->size(); ++i)
      if ((*map.values)[i] != 0)
        use(i / map.cols, i % map.cols, (*map.values)[i]);
    break;
  case Kind::Sparse:
    for (size_t i = 0; i < map.values->size(); ++i)
      use((*map.positions)[i].row, (*map.positions)[i].column,
          (*map.values)[i]);
    break;
  case Kind::Conv:
    map.window.taps([&](int64_t target, int64_t source, int64_t weight) {
      use(uint64_t(target), uint64_t(source), (*map.values)[size_t(weight)]);
    });
  }
}

namespace {

struct Entry {
  uint64_t row, column;
  double value;
};

/// Entries by column: those of column j are [begin[j], begin[j + 1]).
struct Columns {
  std::vector<uint64_t> begin;
  std::vector<Entry> entries;

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
  /// Dense where that is the smaller form.
  LinearMap take(uint64_t cols, bool float32, std::string name) {
    uint64_t rows = sum.size();
    if (values.size() * 2 <= rows * cols) {
      LinearMap map = make(Kind::Sparse, rows, cols, std::move(values), float32,
                           std::move(name));
      map.positions =
          std::make_shared<const std::vector<Position>>(std::move(positions));
      return map;
    }
    std::vector<double> all(rows * cols, 0.0);
    for (size_t i = 0; i < values.size(); ++i)
      all[positions[i].row * cols + positions[i].column] = values[i];
    return make(Kind::Dense, rows, cols, std::move(all), float32,
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

static bool isSpatial(const LinearMap &map) {
  return map.kind == Kind::Conv || map.kind == Kind::Sparse;
}

/// The map as a dense matrix.
static std::vector<double> matrix(const LinearMap &map) {
  if (map.kind == Kind::Dense)
    return *map.values;
  std::vector<double> out(map.rows * map.cols, 0.0);
  forEach(map, [&](uint64_t row, uint64_t column, double value) {
    out[row * map.cols + column] += value;
  });
  return out;
}

/// At most so many entries are in the map.
static uint64_t entriesOf(const LinearMap &map) {
  const Window &w = map.window;
  return map.kind == Kind::Conv
             ? map.rows * uint64_t(w.inPerGroup() * w.kernel[0] * w.kernel[1])
         : map.values ? map.values->size()
                      : map.rows;
}

static uint64_t product(uint64_t a, uint64_t b) {
  uint64_t count;
  return __builtin_mul_overflow(a, b, &count) ? ~uint64_t(0) : count;
}

/// Whether a factor for each target (or source) is one for each channel.
static bool byChannel(const LinearMap &map, const LinearMap &factors,
                      bool ofTargets) {
  uint64_t channels =
      uint64_t(ofTargets ? map.window.channels : map.window.input[0]);
  uint64_t plane = factors.rows / channels;
  for (uint64_t i = 0; i < factors.rows; ++i)
    if (diagonalAt(factors, i) != diagonalAt(factors, i / plane * plane))
      return false;
  return true;
}

/// A convolution with a factor for each target or source channel.
static LinearMap scaleChannels(const LinearMap &map, const LinearMap &factors,
                               bool ofTargets) {
  const Window &w = map.window;
  std::vector<double> values = *map.values;
  uint64_t taps = uint64_t(w.kernel[0] * w.kernel[1]);
  uint64_t plane = factors.rows / uint64_t(ofTargets ? w.channels : w.input[0]);
  for (uint64_t i = 0; i < values.size(); ++i) {
    int64_t co = int64_t(i / taps) / w.inPerGroup();
    int64_t ci = co / w.outPerGroup() * w.inPerGroup() +
                 int64_t(i / taps) % w.inPerGroup();
    values[i] *= diagonalAt(factors, uint64_t(ofTargets ? co : ci) * plane);
  }
  return convolution(w, std::move(values), map.float32 && factors.float32,
                     map.name);
}

uint64_t composedElements(const LinearMap &after, const LinearMap &before) {
  if (isSpatial(after) || isSpatial(before)) {
    uint64_t widest = 1; // of the columns of `after`
    if (after.kind == Kind::Dense)
      widest = after.rows;
    else if (isSpatial(after))
      widest = std::min(after.rows, after.kind == Kind::Conv
                                        ? uint64_t(after.window.outPerGroup() *
                                                   after.window.kernel[0] *
                                                   after.window.kernel[1])
                                        : entriesOf(after));
    return std::min(product(after.rows, before.cols),
                    product(entriesOf(before), widest));
  }
  if (after.kind != Kind::Dense && before.kind != Kind::Dense)
    return after.rows;
  return product(after.rows, before.cols);
}

/// Entry by entry, for maps of which one is a convolution or sparse.
static LinearMap composeEntries(const LinearMap &after,
                                const LinearMap &before) {
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

LinearMap compose(const LinearMap &after, const LinearMap &before) {
  if (after.kind == Kind::Identity)
    return before;
  if (before.kind == Kind::Identity)
    return after;
  if (isSpatial(after) || isSpatial(before)) {
    if (after.kind == Kind::Diagonal && before.kind == Kind::Conv &&
        byChannel(before, after, true))
      return scaleChannels(before, after, true);
    if (after.kind == Kind::Conv && before.kind == Kind::Diagonal &&
        byChannel(after, before, false))
      return scaleChannels(after, before, false);
    if (after.kind == Kind::Conv && before.kind == Kind::Conv)
      if (LinearMap joined = joinWindows(after, before); joined.values)
        return joined;
    return composeEntries(after, before);
  }
  LinearMap out;
  out.kind = after.kind;
  out.rows = after.rows;
  out.cols = before.cols;
  out.sparse = after.sparse || before.sparse;
  out.name = after.name;
  std::vector<double> values;
  if (after.kind == Kind::Diagonal) {
    out.kind = before.kind;
    values = *before.values;
    uint64_t width = before.kind == Kind::Dense ? before.cols : 1;
    for (uint64_t i = 0; i < values.size(); ++i)
      values[i] *= (*after.values)[i / width];
  } else if (before.kind == Kind::Diagonal) {
    values = *after.values;
    for (uint64_t i = 0; i < values.size(); ++i)
      values[i] *= (*before.values)[i % after.cols];
  } else {
    values.assign(out.rows * out.cols, 0.0);
    const double *a = after.values->data(), *b = before.values->data();
    for (uint64_t i = 0; i < out.rows; ++i)
      for (uint64_t k = 0; k < after.cols; ++k) {
        double factor = a[i * after.cols + k];
        if (factor == 0)
          continue;
        for (uint64_t j = 0; j < out.cols; ++j)
          values[i * out.cols + j] += factor * b[k * out.cols + j];
      }
  }
  out.values = share(std::move(values));
  return out;
}

/// a(x) + b(x), entry by entry.
static LinearMap addEntries(const LinearMap &a, const LinearMap &b) {
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

static bool sameWindow(const Window &a, const Window &b) {
  return a.input == b.input && a.channels == b.channels &&
         a.kernel == b.kernel && a.stride == b.stride &&
         a.padding == b.padding && a.dilation == b.dilation &&
         a.groups == b.groups;
}

LinearMap add(const LinearMap &a, const LinearMap &b) {
  bool windows = a.kind == Kind::Conv && b.kind == Kind::Conv &&
                 sameWindow(a.window, b.window);
  if (!windows && (isSpatial(a) || isSpatial(b)))
    return addEntries(a, b);
  std::vector<double> values;
  if (!windows && a.kind != Kind::Dense && b.kind != Kind::Dense) {
    for (uint64_t i = 0; i < a.rows; ++i)
      values.push_back(diagonalAt(a, i) + diagonalAt(b, i));
    return diagonal(std::move(values), false, a.name.empty() ? b.name : a.name);
  }
  values = windows ? *a.values : matrix(a);
  std::vector<double> other = windows ? *b.values : matrix(b);
  for (uint64_t i = 0; i < values.size(); ++i)
    values[i] += other[i];
  if (windows)
    return convolution(a.window, std::move(values), false, a.name);
  LinearMap out = make(Kind::Dense, a.rows, a.cols, std::move(values), false,
                       a.name.empty() ? b.name : a.name);
  out.sparse = a.sparse || b.sparse;
  return out;
}

LinearMap keepRows(const LinearMap &map, const std::vector<bool> &keep) {
  if (std::find(keep.begin(), keep.end(), false) == keep.end())
    return map;
  if (isSpatial(map)) {
    std::vector<double> kept(keep.begin(), keep.end());
    return composeEntries(diagonal(std::move(kept), true, ""), map);
  }
  LinearMap out = map;
  out.sparse = true;
  std::vector<double> values;
  if (map.kind == Kind::Dense) {
    values = *map.values;
    for (uint64_t i = 0; i < values.size(); ++i)
      if (!keep[i / map.cols])
        values[i] = 0;
  } else {
    out.kind = Kind::Diagonal;
    for (uint64_t i = 0; i < map.rows; ++i)
      values.push_back(keep[i] ? diagonalAt(map, i) : 0.0);
  }
  out.values = share(std::move(values));
  return out;
}

Bias compose(const LinearMap &after, const Bias &before) {
  if (!before.values || after.kind == Kind::Identity)
    return before;
  std::vector<double> values(after.rows, 0.0);
  forEach(after, [&](uint64_t row, uint64_t column, double value) {
    values[row] += value * (*before.values)[column];
  });
  return {share(std::move(values)), false, before.name};
}

Bias add(const Bias &a, const Bias &b) {
  if (!a.values || !b.values)
    return a.values ? a : b;
  std::vector<double> values = *a.values;
  for (uint64_t i = 0; i < values.size(); ++i)
    values[i] += (*b.values)[i];
  return {share(std::move(values)), false, a.name};
}

} // namespace neurite::nir
