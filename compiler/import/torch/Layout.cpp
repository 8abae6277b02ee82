// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Layout.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace dendrolith::torch {
namespace {

/// Elements of a tensor in some order: element 0, and steps along each axis.
struct View {
  Shape shape, strides;
  int64_t first = 0;
};
using Views = std::vector<View>;
using Found = std::optional<Views>;

View whole(const Shape &shape) { return {shape, stridesOf(shape), 0}; }

Found slice(const Shape &from, int64_t dim, int64_t start, int64_t end,
            int64_t step) {
  auto axis = axisOf(dim, from.size());
  if (!axis || step < 1 || step > (int64_t(1) << 31))
    return std::nullopt;
  const int64_t extent = from[*axis];
  auto bound = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + extent : at, 0, extent);
  };
  View view = whole(from);
  start = bound(start);
  end = std::max(start, bound(end));
  view.first = start * view.strides[*axis];
  view.shape[*axis] = (end - start + step - 1) / step;
  view.strides[*axis] *= step;
  return Views{view};
}

Found select(const Shape &from, int64_t dim, int64_t index) {
  auto axis = axisOf(dim, from.size());
  if (!axis)
    return std::nullopt;
  index = index < 0 ? index + from[*axis] : index;
  if (index < 0 || index >= from[*axis])
    return std::nullopt;
  View view = whole(from);
  view.first = index * view.strides[*axis];
  view.shape.erase(view.shape.begin() + long(*axis));
  view.strides.erase(view.strides.begin() + long(*axis));
  return Views{view};
}

Found permute(const Shape &from, const Shape &dims) {
  View all = whole(from), view;
  std::set<size_t> seen;
  for (int64_t dim : dims) {
    auto axis = axisOf(dim, from.size());
    if (!axis || !seen.insert(*axis).second)
      return std::nullopt;
    view.shape.push_back(all.shape[*axis]);
    view.strides.push_back(all.strides[*axis]);
  }
  return dims.size() == from.size() ? Found(Views{view}) : std::nullopt;
}

Found swap(const Shape &from, int64_t a, int64_t b) {
  Shape dims(from.size());
  std::iota(dims.begin(), dims.end(), 0);
  auto first = axisOf(a, dims.size()), second = axisOf(b, dims.size());
  if (!first || !second)
    return from.size() < 2 ? Found(Views{whole(from)}) : std::nullopt;
  std::swap(dims[*first], dims[*second]);
  return permute(from, dims);
}

Found diagonal(const Shape &from, int64_t a, int64_t b, int64_t offset,
               const Shape &to) {
  auto first = axisOf(a, from.size()), second = axisOf(b, from.size());
  if (!first || !second || *first == *second || to.empty())
    return std::nullopt;
  View all = whole(from), view;
  for (size_t i = 0; i < from.size(); ++i)
    if (i != *first && i != *second) {
      view.shape.push_back(from[i]);
      view.strides.push_back(all.strides[i]);
    }
  const int64_t down = std::max<int64_t>(0, -offset),
                right = std::max<int64_t>(0, offset);
  view.first = down * all.strides[*first] + right * all.strides[*second];
  view.shape.push_back(std::max<int64_t>(
      0, std::min(from[*first] - down, from[*second] - right)));
  view.strides.push_back(all.strides[*first] + all.strides[*second]);
  return Views{view};
}

Found flip(const Shape &from, const Shape &dims) {
  View view = whole(from);
  for (int64_t dim : dims) {
    auto axis = axisOf(dim, from.size());
    if (!axis)
      return std::nullopt;
    view.first += (from[*axis] - 1) * view.strides[*axis];
    view.strides[*axis] *= -1;
  }
  return Views{view};
}

Found expand(const Shape &from, const Shape &to) {
  if (to.size() < from.size() || broadcast(from, to) != to)
    return std::nullopt;
  View view{to, Shape(to.size(), 0), 0};
  Shape strides = stridesOf(from);
  const size_t lead = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    view.strides[lead + i] = from[i] == 1 ? 0 : strides[i];
  return Views{view};
}

/// Pieces along an axis, one behind the other, as the results are long.
Found split(const Shape &from, int64_t dim, const std::vector<Shape> &to) {
  auto axis = axisOf(dim, from.size());
  Views all;
  int64_t at = 0;
  for (const Shape &piece : to) {
    if (!axis || piece.size() != from.size())
      return std::nullopt;
    auto view = slice(from, dim, at, at + piece[*axis], 1);
    all.push_back(view->front());
    at += piece[*axis];
  }
  return all;
}

Found unbind(const Shape &from, int64_t dim, size_t pieces) {
  Views all;
  for (size_t i = 0; i < pieces; ++i) {
    auto view = select(from, dim, int64_t(i));
    if (!view)
      return std::nullopt;
    all.push_back(view->front());
  }
  return all;
}

/// The same elements in the same order.
const std::set<std::string> kReshapes = {
    "view",  "_unsafe_view", "reshape",        "squeeze",   "unsqueeze",
    "clone", "flatten",      "_reshape_alias", "contiguous"};
const std::set<std::string> kSplits = {"split", "split_with_sizes", "chunk",
                                       "unsafe_split",
                                       "unsafe_split_with_sizes"};
const std::set<std::string> kViews = {
    "slice",  "select", "permute", "transpose", "t",
    "expand", "unbind", "narrow",  "flip",      "diagonal"};

Found viewsOf(const Node &node, const Shape &from,
              const std::vector<Shape> &to) {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  const std::string &op = node.op;
  const int64_t dim = node.integer("dim", 0);
  if (op == "slice")
    return slice(from, dim, node.integer("start", 0), node.integer("end", kEnd),
                 node.integer("step", 1));
  if (op == "narrow")
    return slice(from, dim, node.integer("start", 0),
                 node.integer("start", 0) + node.integer("length", 0), 1);
  if (op == "select")
    return select(from, dim, node.integer("index", 0));
  if (op == "permute")
    return permute(from, node.integers("dims"));
  if (op == "transpose")
    return swap(from, node.integer("dim0", 0), node.integer("dim1", 1));
  if (op == "t")
    return swap(from, 0, 1);
  if (op == "flip")
    return flip(from, node.integers("dims"));
  if (op == "diagonal")
    return diagonal(from, node.integer("dim1", 0), node.integer("dim2", 1),
                    node.integer("offset", 0), to.front());
  if (op == "expand")
    return expand(from, to.front());
  if (op == "unbind")
    return unbind(from, dim, to.size());
  if (kSplits.count(op))
    return split(from, dim, to);
  return Views{View{to.front(), stridesOf(to.front()), 0}};
}

Gather elementsOf(const View &view) {
  Shape index(view.shape.size(), 0);
  Gather map(size_t(count(view.shape)), view.first);
  for (int64_t &at : map) {
    for (size_t i = 0; i < index.size(); ++i)
      at += index[i] * view.strides[i];
    advance(index, view.shape);
  }
  return map;
}

} // namespace

std::optional<size_t> axisOf(int64_t axis, size_t rank) {
  int64_t found = axis < 0 ? axis + int64_t(rank) : axis;
  if (found < 0 || found >= int64_t(rank))
    return std::nullopt;
  return size_t(found);
}

bool isLayout(const std::string &op) {
  return kReshapes.count(op) || kSplits.count(op) || kViews.count(op);
}

std::optional<std::vector<Gather>> layoutOf(const Node &node, const Shape &from,
                                            const std::vector<Shape> &to) {
  if (to.empty() || (kReshapes.count(node.op) && count(from) != count(to[0])))
    return std::nullopt;
  Found views = viewsOf(node, from, to);
  if (!views || views->size() != to.size())
    return std::nullopt;
  std::vector<Gather> maps;
  for (size_t i = 0; i < to.size(); ++i) {
    if ((*views)[i].shape != to[i])
      return std::nullopt;
    maps.push_back(elementsOf((*views)[i]));
  }
  return maps;
}

bool isJoin(const std::string &op) {
  return op == "cat" || op == "stack" || op == "slice_scatter" ||
         op == "select_scatter";
}

/// The elements of `self` are replaced by those of `src` where a view of it is.
static std::optional<std::vector<Joined>>
scatterOf(const Node &node, const std::vector<Shape> &from) {
  Node view = node;
  view.op = node.op == "slice_scatter" ? "slice" : "select";
  auto map = layoutOf(view, from[0], {from[1]});
  if (!map)
    return std::nullopt;
  std::vector<Joined> joined;
  for (int64_t i = 0; i < count(from[0]); ++i)
    joined.push_back({0, i});
  for (size_t i = 0; i < map->front().size(); ++i)
    joined[size_t(map->front()[i])] = {1, int64_t(i)};
  return joined;
}

std::optional<std::vector<Joined>>
joinOf(const Node &node, const std::vector<Shape> &from, const Shape &to) {
  if (node.op != "cat" && node.op != "stack")
    return from.size() == 2 ? scatterOf(node, from) : std::nullopt;
  auto axis = axisOf(node.integer("dim", 0), to.size());
  if (!axis || count(to) == 0)
    return std::nullopt;
  const int64_t outer = count(Shape(to.begin(), to.begin() + long(*axis)));
  std::vector<Joined> joined;
  for (int64_t row = 0; row < outer; ++row)
    for (size_t i = 0; i < from.size(); ++i) {
      const int64_t part = count(from[i]) / outer;
      for (int64_t k = 0; k < part; ++k)
        joined.push_back({i, row * part + k});
    }
  if (int64_t(joined.size()) != count(to))
    return std::nullopt;
  return joined;
}

} // namespace dendrolith::torch
