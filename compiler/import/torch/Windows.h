// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The windows of convolutions and pooling over images, and over lines, which
// are images of one row.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_WINDOWS_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_WINDOWS_H

#include "compiler/import/torch/Program.h"

namespace dendrolith::torch {

/// Whether an operation takes images, (1, channels, rows, columns) or
/// (1, channels, places).
bool takesImages(const std::string &op);

/// Along one axis, for each place of the result: the places that its window
/// has, in their order; -1 is padding.
using Places = std::vector<Shape>;

struct Windows {
  Places rows, columns;
  int64_t width = 1; ///< columns of the image
  int64_t area = 1;  ///< places of the image

  /// Calls visit(k, place) for the k-th place of a window; place is -1 where it
  /// is padding, else the place in the image.
  template <typename Visit>
  void each(int64_t y, int64_t x, const Visit &visit) const {
    int64_t k = 0;
    for (int64_t row : rows[size_t(y)])
      for (int64_t column : columns[size_t(x)])
        visit(k++, row < 0 || column < 0 ? -1 : row * width + column);
  }
  int64_t height() const { return int64_t(rows.size()); }
  int64_t breadth() const { return int64_t(columns.size()); }
};

/// The windows of a node from an image to one of shape `to`, whose windows have
/// the extents `size` (1 or 2 of them). None where its arguments do not fit.
std::optional<Windows> windowsOf(const Node &node, const Shape &from,
                                 const Shape &to, const Shape &size);
/// Windows that cut the image into as many parts as the result has places.
std::optional<Windows> partsOf(const Shape &from, const Shape &to);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_WINDOWS_H
