// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/Order.h"

#include "compiler/lava/Array.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace dendrolith::lava {

std::vector<uint32_t> numbering(const Shape &shape) {
  if (shape.size() != 3)
    return {};
  std::vector<uint32_t> numbers;
  numbers.reserve(shape[0] * shape[1] * shape[2]);
  for (uint64_t w = 0; w < shape[0]; ++w)
    for (uint64_t h = 0; h < shape[1]; ++h)
      for (uint64_t c = 0; c < shape[2]; ++c)
        numbers.push_back(uint32_t((c * shape[1] + h) * shape[0] + w));
  return numbers;
}

std::vector<int64_t> dendShape(const Shape &shape) {
  std::vector<int64_t> all(shape.begin(), shape.end());
  if (all.size() == 3)
    std::reverse(all.begin(), all.end());
  return all;
}

/// Row-major element of the sender at each place of the turned shape, which
/// `shape` becomes.
static std::vector<uint32_t> transposed(const Connection &connection,
                                        Shape &shape, const std::string &what) {
  std::vector<uint32_t> all(elementCount(shape, what));
  std::iota(all.begin(), all.end(), 0);
  if (connection.transpose().empty())
    return all;
  Shape axes(connection.transpose().begin(), connection.transpose().end());
  Shape sorted = axes, every(shape.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(every.begin(), every.end(), 0);
  if (sorted != every)
    throw Error(fmt::format("{}: transpose {}, expected the axes of shape {}",
                            what, fmt::join(axes, ","), shapeText(shape)));
  Shape stride(shape.size(), 1), turned;
  for (size_t i = shape.size() - 1; i > 0; --i)
    stride[i - 1] = stride[i] * shape[i];
  for (uint64_t axis : axes)
    turned.push_back(shape[axis]);
  for (size_t i = 0; i < all.size(); ++i) {
    uint64_t rest = i, from = 0;
    for (size_t k = axes.size(); k-- > 0; rest /= turned[k])
      from += rest % turned[k] * stride[axes[k]];
    all[i] = uint32_t(from);
  }
  shape = turned;
  return all;
}

std::vector<uint32_t> elementMap(const Connection &connection,
                                 const Shape &sent, const Shape &received,
                                 const std::string &what) {
  Shape shape = sent;
  std::vector<uint32_t> all = transposed(connection, shape, what);
  if (!connection.reshape().empty()) {
    Shape reshape(connection.reshape().begin(), connection.reshape().end());
    if (elementCount(reshape, what) != all.size())
      throw Error(fmt::format("{}: cannot reshape {} to {}", what,
                              shapeText(shape), shapeText(reshape)));
    shape = reshape;
  }
  if (shape != received)
    throw Error(fmt::format("{}: sends {}, the port takes {}", what,
                            shapeText(shape), shapeText(received)));
  std::vector<uint32_t> from = numbering(sent), to = numbering(received);
  std::vector<uint32_t> map(all.size());
  bool same = true;
  for (size_t i = 0; i < all.size(); ++i) {
    uint32_t target = to.empty() ? uint32_t(i) : to[i];
    map[target] = from.empty() ? all[i] : from[all[i]];
    same &= map[target] == target;
  }
  return same ? std::vector<uint32_t>() : map;
}

} // namespace dendrolith::lava
