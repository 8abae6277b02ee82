// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps between populations, composed in double. A map that is one
// dataset of the file keeps its numbers and their type; a convolution stays
// one as long as what it is composed with leaves it one.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_LINEARMAP_H
#define DENDROLITH_COMPILER_IMPORT_NIR_LINEARMAP_H

#include "dialects/dend/Window.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::nir {

using Values = std::shared_ptr<const std::vector<double>>;

/// Row and column of each value, by column and then row.
struct Position {
  uint32_t row, column;
};
using Positions = std::shared_ptr<const std::vector<Position>>;

struct LinearMap {
  enum class MapForm { Identity, Diagonal, Dense, Sparse, Conv };
  MapForm kind = MapForm::Identity;
  uint64_t rows = 0, cols = 0;
  /// How many there are depends on the kind. Diagonal: rows; Dense: rows x
  /// cols; Sparse: one for each position; Conv: the window's weights; Identity:
  /// null.
  Values values;
  bool float32 = false; ///< every value is a float32 of the file
  bool sparse = false;  ///< many zeros by construction, not by training
  std::string name;     ///< node that the values come from
  dend::Window window;  ///< of Conv
  Positions positions;  ///< of Sparse
  bool shared = false;  ///< made from a convolution, so that lists repeat
};

/// A constant vector; null values mean zero.
struct Bias {
  Values values;
  bool float32 = false;
  std::string name;
};

/// Biases that are there from a tick on, by that tick.
using LateBias = std::map<int64_t, Bias>;

/// Most elements that a composed map may have (checked by the callers).
constexpr uint64_t maxMapElements = uint64_t(1) << 27;

LinearMap identity(uint64_t size);
LinearMap diagonal(std::vector<double> values, bool float32, std::string name);
LinearMap convolution(const dend::Window &window, std::vector<double> values,
                      bool float32, std::string name);
/// An upper bound of how many elements the composition of two maps has.
uint64_t composedElements(const LinearMap &after, const LinearMap &before);
/// Gives after(before(x)).
LinearMap compose(const LinearMap &after, const LinearMap &before);
/// Gives a(x) + b(x), for maps of the same sizes.
LinearMap add(const LinearMap &a, const LinearMap &b);
/// Gives the map with all rows set to zero but those to keep.
LinearMap keepRows(const LinearMap &map, const std::vector<bool> &keep);

Bias compose(const LinearMap &after, const Bias &before);
Bias add(const Bias &a, const Bias &b);
/// Gives the bias with all rows set to zero but those to keep; null if none is
/// left.
Bias keepRows(const Bias &bias, const std::vector<bool> &keep);

/// Gives a pooling, or any other convolution of each channel by itself,
/// followed by a convolution, as one convolution. The values are null where no
/// single window does the same: where overlapping windows or rows left over
/// meet the padding.
LinearMap joinWindows(const LinearMap &after, const LinearMap &before);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_LINEARMAP_H
