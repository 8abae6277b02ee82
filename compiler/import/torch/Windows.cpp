// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Windows.h"

#include <algorithm>
#include <set>

namespace dendrolith::torch {

bool takesImages(const std::string &op) {
  static const std::set<std::string> all = {"convolution",
                                            "avg_pool1d",
                                            "avg_pool2d",
                                            "adaptive_avg_pool1d",
                                            "_adaptive_avg_pool2d",
                                            "max_pool2d",
                                            "max_pool2d_with_indices"};
  return all.count(op) > 0;
}

namespace {

bool isImage(const Shape &shape) {
  return (shape.size() == 3 || shape.size() == 4) && shape[0] == 1;
}
/// Rows and columns; a line has one row.
Shape extentsOf(const Shape &image) {
  return {image.size() == 4 ? image[2] : 1, image.back()};
}

/// The argument for each axis of the image, or `otherwise`.
std::optional<Shape> perAxis(const Node &node, const char *name, size_t axes,
                             const Shape &otherwise) {
  Shape given = node.integers(name);
  if (given.empty())
    return otherwise;
  if (given.size() == 1)
    given.resize(axes, given[0]);
  return given.size() == axes ? std::optional<Shape>(given) : std::nullopt;
}

struct Stride {
  int64_t size, step, padding, dilation;
};

/// None where the result has more places than windows begin in the image.
std::optional<Places> placesOf(int64_t extent, int64_t count,
                               const Stride &way) {
  constexpr int64_t kMost = int64_t(1) << 24;
  for (int64_t one : {way.size, way.step, way.dilation})
    if (one < 1 || one > kMost)
      return std::nullopt;
  if (way.padding < 0 || way.padding > kMost || way.size * count > kMost)
    return std::nullopt;
  Places all;
  for (int64_t i = 0; i < count; ++i) {
    Shape window;
    const int64_t first = i * way.step - way.padding;
    if (first >= extent + way.padding)
      return std::nullopt;
    for (int64_t k = 0; k < way.size; ++k) {
      const int64_t at = first + k * way.dilation;
      if (at < extent + way.padding)
        window.push_back(at < 0 || at >= extent ? -1 : at);
    }
    all.push_back(std::move(window));
  }
  return all;
}

} // namespace

std::optional<Windows> windowsOf(const Node &node, const Shape &from,
                                 const Shape &to, const Shape &size) {
  const size_t axes = from.size() - 2;
  if (!isImage(from) || !isImage(to) || to.size() != from.size() ||
      size.size() != axes)
    return std::nullopt;
  const bool pools = node.op != "convolution";
  const Shape ones(axes, 1), none(axes, 0);
  auto stride = perAxis(node, "stride", axes, pools ? size : ones),
       padding = perAxis(node, "padding", axes, none),
       dilation = perAxis(node, "dilation", axes, ones);
  if (!stride || !padding || !dilation)
    return std::nullopt;
  auto along = [&](size_t axis) {
    return placesOf(
        from[axis + 2], to[axis + 2],
        {size[axis], (*stride)[axis], (*padding)[axis], (*dilation)[axis]});
  };
  auto last = along(axes - 1);
  auto rows = axes == 2 ? along(0) : Places{{0}};
  if (!last || !rows)
    return std::nullopt;
  const Shape extents = extentsOf(from);
  return Windows{*rows, *last, extents[1], count(extents)};
}

std::optional<Windows> partsOf(const Shape &from, const Shape &to) {
  if (!isImage(from) || !isImage(to) || to.size() != from.size())
    return std::nullopt;
  auto along = [](int64_t extent, int64_t parts) {
    Places all;
    for (int64_t i = 0; i < parts; ++i) {
      Shape window;
      for (int64_t at = i * extent / parts; at * parts < (i + 1) * extent; ++at)
        window.push_back(at);
      all.push_back(std::move(window));
    }
    return all;
  };
  const Shape has = extentsOf(from), wants = extentsOf(to);
  return Windows{along(has[0], wants[0]), along(has[1], wants[1]), has[1],
                 count(has)};
}

} // namespace dendrolith::torch
