// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/LinearMap.h"

#include <algorithm>

namespace neurite::nir {

using Kind = LinearMap::Kind;

static Values share(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

LinearMap identity(uint64_t size) {
  return {Kind::Identity, size, size, nullptr, false, false, ""};
}

LinearMap diagonal(std::vector<double> values, bool float32, std::string name) {
  uint64_t n = values.size();
  return {Kind::Diagonal, n, n, share(std::move(values)), float32, false,
          std::move(name)};
}

static double diagonalAt(const LinearMap &map, uint64_t i) {
  return map.kind == Kind::Identity ? 1.0 : (*map.values)[i];
}

/// The map as a dense matrix.
static std::vector<double> matrix(const LinearMap &map) {
  if (map.kind == Kind::Dense)
    return *map.values;
  std::vector<double> out(map.rows * map.cols, 0.0);
  for (uint64_t i = 0; i < map.rows; ++i)
    out[i * map.cols + i] = diagonalAt(map, i);
  return out;
}

uint64_t composedElements(const LinearMap &after, const LinearMap &before) {
  if (after.kind != Kind::Dense && before.kind != Kind::Dense)
    return after.rows;
  uint64_t count;
  return __builtin_mul_overflow(after.rows, before.cols, &count) ? ~uint64_t(0)
                                                                 : count;
}

LinearMap compose(const LinearMap &after, const LinearMap &before) {
  if (after.kind == Kind::Identity)
    return before;
  if (before.kind == Kind::Identity)
    return after;
  LinearMap out{after.kind, after.rows, before.cols,
                nullptr,    false,      after.sparse || before.sparse,
                after.name};
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

LinearMap add(const LinearMap &a, const LinearMap &b) {
  LinearMap out{Kind::Dense,
                a.rows,
                a.cols,
                nullptr,
                false,
                a.sparse || b.sparse,
                a.name.empty() ? b.name : a.name};
  std::vector<double> values;
  if (a.kind != Kind::Dense && b.kind != Kind::Dense) {
    out.kind = Kind::Diagonal;
    for (uint64_t i = 0; i < a.rows; ++i)
      values.push_back(diagonalAt(a, i) + diagonalAt(b, i));
  } else {
    values = matrix(a);
    std::vector<double> other = matrix(b);
    for (uint64_t i = 0; i < values.size(); ++i)
      values[i] += other[i];
  }
  out.values = share(std::move(values));
  return out;
}

LinearMap keepRows(const LinearMap &map, const std::vector<bool> &keep) {
  if (std::find(keep.begin(), keep.end(), false) == keep.end())
    return map;
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
  const std::vector<double> &from = *before.values;
  for (uint64_t i = 0; i < after.rows; ++i)
    if (after.kind == Kind::Diagonal)
      values[i] = (*after.values)[i] * from[i];
    else
      for (uint64_t k = 0; k < after.cols; ++k)
        values[i] += (*after.values)[i * after.cols + k] * from[k];
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
