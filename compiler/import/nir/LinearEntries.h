// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps entry by entry: what LinearMap.cpp and LinearEntries.cpp share.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_LINEARENTRIES_H
#define DENDROLITH_COMPILER_IMPORT_NIR_LINEARENTRIES_H

#include "compiler/import/nir/LinearMap.h"

namespace dendrolith::nir {

inline Values share(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

/// A map of a kind that has values and nothing else.
LinearMap makeMap(LinearMap::MapForm kind, uint64_t rows, uint64_t cols,
                  std::vector<double> values, bool float32, std::string name);

/// Whether the map is a convolution or sparse, and so is composed entry by
/// entry.
inline bool isSpatial(const LinearMap &map) {
  return map.kind == LinearMap::MapForm::Conv ||
         map.kind == LinearMap::MapForm::Sparse;
}

inline double diagonalAt(const LinearMap &map, uint64_t i) {
  return map.kind == LinearMap::MapForm::Identity ? 1.0 : (*map.values)[i];
}

/// Calls use(row, column, value) for each entry of the map, zeros of a dense
/// one left out.
template <typename F> void forEach(const LinearMap &map, F use) {
  switch (map.kind) {
  case LinearMap::MapForm::Identity:
  case LinearMap::MapForm::Diagonal:
    for (uint64_t i = 0; i < map.rows; ++i)
      use(i, i, diagonalAt(map, i));
    break;
  case LinearMap::MapForm::Dense:
    for (uint64_t i = 0; i < map.values->size(); ++i)
      if ((*map.values)[i] != 0)
        use(i / map.cols, i % map.cols, (*map.values)[i]);
    break;
  case LinearMap::MapForm::Sparse:
    for (size_t i = 0; i < map.values->size(); ++i)
      use((*map.positions)[i].row, (*map.positions)[i].column,
          (*map.values)[i]);
    break;
  case LinearMap::MapForm::Conv:
    map.window.taps([&](int64_t target, int64_t source, int64_t weight) {
      use(uint64_t(target), uint64_t(source), (*map.values)[size_t(weight)]);
    });
  }
}

/// These give after(before(x)) and a(x) + b(x), sparse or dense, whichever is
/// smaller.
LinearMap composeEntries(const LinearMap &after, const LinearMap &before);
LinearMap addEntries(const LinearMap &a, const LinearMap &b);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_LINEARENTRIES_H
