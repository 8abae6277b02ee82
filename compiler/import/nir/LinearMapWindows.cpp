// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling and then a convolution is a convolution with a larger kernel. The
// pooling has s, k, p and the convolution t, d, q. Target z reads through tap i
// the pooled element z t + i d - q. That element reads through tap j the source
// (z t + i d - q) s + j - p = z (t s) + (i d s + j) - (q s + p).

#include "compiler/import/nir/LinearMap.h"

#include <algorithm>

namespace dendrolith::nir {

using dend::Window;

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
