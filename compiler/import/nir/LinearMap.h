// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps between populations, composed in double. A map that is one
// dataset of the file keeps its numbers and their type.

#ifndef NEURITE_COMPILER_IMPORT_NIR_LINEARMAP_H
#define NEURITE_COMPILER_IMPORT_NIR_LINEARMAP_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace neurite::nir {

using Values = std::shared_ptr<const std::vector<double>>;

struct LinearMap {
  enum class Kind { Identity, Diagonal, Dense };
  Kind kind = Kind::Identity;
  uint64_t rows = 0, cols = 0;
  Values values;        ///< Diagonal: rows; Dense: rows x cols; else null
  bool float32 = false; ///< every value is a float32 of the file
  bool sparse = false;  ///< many zeros by construction, not by training
  std::string name;     ///< node that the values come from
};

/// A constant vector; null values mean zero.
struct Bias {
  Values values;
  bool float32 = false;
  std::string name;
};

/// Most elements that a composed map may have (checked by the callers).
constexpr uint64_t maxMapElements = uint64_t(1) << 27;

LinearMap identity(uint64_t size);
LinearMap diagonal(std::vector<double> values, bool float32, std::string name);
/// Elements of the result of composing two maps.
uint64_t composedElements(const LinearMap &after, const LinearMap &before);
/// after(before(x)).
LinearMap compose(const LinearMap &after, const LinearMap &before);
/// a(x) + b(x), for maps of the same sizes.
LinearMap add(const LinearMap &a, const LinearMap &b);
/// The map with the rows that are not kept set to zero.
LinearMap keepRows(const LinearMap &map, const std::vector<bool> &keep);

Bias compose(const LinearMap &after, const Bias &before);
Bias add(const Bias &a, const Bias &b);

} // namespace neurite::nir

#endif // NEURITE_COMPILER_IMPORT_NIR_LINEARMAP_H
