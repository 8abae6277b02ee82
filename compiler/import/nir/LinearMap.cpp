// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/LinearMap.h"

#include "compiler/import/nir/LinearEntries.h"

#include <algorithm>

namespace dendrolith::nir {

using MapForm = LinearMap::MapForm;
using dend::Window;

LinearMap identity(uint64_t size) {
  LinearMap map;
  map.rows = map.cols = size;
  return map;
}

LinearMap diagonal(std::vector<double> values, bool float32, std::string name) {
  uint64_t n = values.size();
  return makeMap(MapForm::Diagonal, n, n, std::move(values), float32,
                 std::move(name));
}

LinearMap convolution(const Window &window, std::vector<double> values,
                      bool float32, std::string name) {
  LinearMap map = makeMap(MapForm::Conv, uint64_t(window.targets()),
                          uint64_t(window.sources()), std::move(values),
                          float32, std::move(name));
  map.window = window;
  map.shared = true;
  return map;
}

/// The map as a dense matrix.
static std::vector<double> matrix(const LinearMap &map) {
  if (map.kind == MapForm::Dense)
    return *map.values;
  std::vector<double> out(map.rows * map.cols, 0.0);
  forEach(map, [&](uint64_t row, uint64_t column, double value) {
    out[row * map.cols + column] += value;
  });
  return out;
}

/// An upper bound of how many entries the map has.
static uint64_t entriesOf(const LinearMap &map) {
  const Window &w = map.window;
  return map.kind == MapForm::Conv
             ? map.rows * uint64_t(w.inPerGroup() * w.kernel[0] * w.kernel[1])
         : map.values ? map.values->size()
                      : map.rows;
}

static uint64_t cappedProduct(uint64_t a, uint64_t b) {
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
    if (after.kind == MapForm::Dense)
      widest = after.rows;
    else if (isSpatial(after))
      widest = std::min(after.rows, after.kind == MapForm::Conv
                                        ? uint64_t(after.window.outPerGroup() *
                                                   after.window.kernel[0] *
                                                   after.window.kernel[1])
                                        : entriesOf(after));
    return std::min(cappedProduct(after.rows, before.cols),
                    cappedProduct(entriesOf(before), widest));
  }
  if (after.kind != MapForm::Dense && before.kind != MapForm::Dense)
    return after.rows;
  return cappedProduct(after.rows, before.cols);
}

LinearMap compose(const LinearMap &after, const LinearMap &before) {
  if (after.kind == MapForm::Identity)
    return before;
  if (before.kind == MapForm::Identity)
    return after;
  if (isSpatial(after) || isSpatial(before)) {
    if (after.kind == MapForm::Diagonal && before.kind == MapForm::Conv &&
        byChannel(before, after, true))
      return scaleChannels(before, after, true);
    if (after.kind == MapForm::Conv && before.kind == MapForm::Diagonal &&
        byChannel(after, before, false))
      return scaleChannels(after, before, false);
    if (after.kind == MapForm::Conv && before.kind == MapForm::Conv)
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
  if (after.kind == MapForm::Diagonal) {
    out.kind = before.kind;
    values = *before.values;
    uint64_t width = before.kind == MapForm::Dense ? before.cols : 1;
    for (uint64_t i = 0; i < values.size(); ++i)
      values[i] *= (*after.values)[i / width];
  } else if (before.kind == MapForm::Diagonal) {
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

static bool sameWindow(const Window &a, const Window &b) {
  return a.input == b.input && a.channels == b.channels &&
         a.kernel == b.kernel && a.stride == b.stride &&
         a.padding == b.padding && a.dilation == b.dilation &&
         a.groups == b.groups;
}

LinearMap add(const LinearMap &a, const LinearMap &b) {
  bool windows = a.kind == MapForm::Conv && b.kind == MapForm::Conv &&
                 sameWindow(a.window, b.window);
  if (!windows && (isSpatial(a) || isSpatial(b)))
    return addEntries(a, b);
  std::vector<double> values;
  if (!windows && a.kind != MapForm::Dense && b.kind != MapForm::Dense) {
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
  LinearMap out = makeMap(MapForm::Dense, a.rows, a.cols, std::move(values),
                          false, a.name.empty() ? b.name : a.name);
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
  if (map.kind == MapForm::Dense) {
    values = *map.values;
    for (uint64_t i = 0; i < values.size(); ++i)
      if (!keep[i / map.cols])
        values[i] = 0;
  } else {
    out.kind = MapForm::Diagonal;
    for (uint64_t i = 0; i < map.rows; ++i)
      values.push_back(keep[i] ? diagonalAt(map, i) : 0.0);
  }
  out.values = share(std::move(values));
  return out;
}

Bias compose(const LinearMap &after, const Bias &before) {
  if (!before.values || after.kind == MapForm::Identity)
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

Bias keepRows(const Bias &bias, const std::vector<bool> &keep) {
  if (!bias.values)
    return bias;
  std::vector<double> values = *bias.values;
  bool isLeft = false;
  for (uint64_t i = 0; i < values.size(); ++i) {
    values[i] = keep[i] ? values[i] : 0;
    isLeft |= values[i] != 0;
  }
  if (!isLeft)
    return {};
  return {share(std::move(values)), bias.float32, bias.name};
}

// Pooling and then a convolution is a convolution with a larger kernel. The
// pooling has s, k, p and the convolution t, d, q. Target z reads through tap i
// the pooled element z t + i d - q. That element reads through tap j the source
// (z t + i d - q) s + j - p = z (t s) + (i d s + j) - (q s + p).

/// Computes one axis of the joined window; false if the result would be another
/// map.
static bool joinAxis(const Window &after, const Window &before, int axis,
                     Window &joined) {
  int64_t s = before.stride[axis], reach = before.dilation[axis];
  int64_t span = (before.kernel[axis] - 1) * reach;
  int64_t d = after.dilation[axis], size = before.input[axis + 1];
  int64_t pooled = before.output(axis), outputs = after.output(axis);
  joined.kernel[axis] = (after.kernel[axis] - 1) * d * s + span + 1;
  joined.stride[axis] = after.stride[axis] * s;
  joined.padding[axis] = after.padding[axis] * s + before.padding[axis];
  joined.padding[axis + 2] = std::max<int64_t>(
      0, (outputs - 1) * joined.stride[axis] + joined.kernel[axis] - size -
             joined.padding[axis]);
  if (joined.output(axis) != outputs)
    return false;
  // The padding of the convolution is zero: no source may show in its place.
  for (int64_t z = 0; z < outputs; ++z)
    for (int64_t i = 0; i < after.kernel[axis]; ++i) {
      int64_t at = z * after.stride[axis] + i * d - after.padding[axis];
      int64_t first = at * s - before.padding[axis];
      if ((at < 0 || at >= pooled) && first + span >= 0 && first < size)
        return false;
    }
  return true;
}

LinearMap joinWindows(const LinearMap &after, const LinearMap &before) {
  const Window &a = after.window, &b = before.window;
  LinearMap out;
  bool byChannel = b.inPerGroup() == 1 && b.outPerGroup() == 1;
  Window joined = a;
  joined.input = b.input;
  joined.dilation = {1, 1};
  if (!byChannel || !joinAxis(a, b, 0, joined) || !joinAxis(a, b, 1, joined))
    return out;
  std::vector<double> values(size_t(joined.weights()), 0.0);
  int64_t plane = joined.kernel[0] * joined.kernel[1];
  for (int64_t co = 0; co < a.channels; ++co)
    for (int64_t ci = 0; ci < a.inPerGroup(); ++ci) {
      int64_t channel = co / a.outPerGroup() * a.inPerGroup() + ci;
      for (int64_t i = 0; i < a.kernel[0] * a.kernel[1]; ++i)
        for (int64_t j = 0; j < b.kernel[0] * b.kernel[1]; ++j) {
          int64_t y = i / a.kernel[1] * a.dilation[0] * b.stride[0] +
                      j / b.kernel[1] * b.dilation[0];
          int64_t x = i % a.kernel[1] * a.dilation[1] * b.stride[1] +
                      j % b.kernel[1] * b.dilation[1];
          int64_t pair = co * a.inPerGroup() + ci;
          values[size_t(pair * plane + y * joined.kernel[1] + x)] +=
              (*after.values)[size_t(pair * a.kernel[0] * a.kernel[1] + i)] *
              (*before.values)[size_t(channel * b.kernel[0] * b.kernel[1] + j)];
        }
    }
  return convolution(joined, std::move(values), after.float32 && before.float32,
                     after.name);
}

} // namespace dendrolith::nir
