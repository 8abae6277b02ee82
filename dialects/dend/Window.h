// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sliding window over channels of two-dimensional maps says which sources a
// target of a convolution or pooling reads, and by which tap. It needs no MLIR.

#ifndef DENDROLITH_DIALECTS_DEND_WINDOW_H
#define DENDROLITH_DIALECTS_DEND_WINDOW_H

#include <array>
#include <cstdint>

namespace dendrolith::dend {

/// Sources are numbered (channel, y, x) within `input`, targets within the
/// output; weights (target channel, source channel within its group, ky, kx).
struct Window {
  std::array<int64_t, 3> input{};  ///< channels, height, width
  int64_t channels = 0;            ///< of the targets
  std::array<int64_t, 2> kernel{}; ///< height, width; so all pairs
  std::array<int64_t, 2> stride{1, 1};
  std::array<int64_t, 4> padding{}; ///< top, left, bottom, right
  std::array<int64_t, 2> dilation{1, 1};
  int64_t groups = 1;

  /// Returns how many outputs there are along an axis (0: height, 1: width),
  /// which is 0 where the kernel is larger than the padded input.
  int64_t output(int axis) const {
    int64_t reach = (kernel[axis] - 1) * dilation[axis];
    int64_t room = input[axis + 1] + padding[axis] + padding[axis + 2] - reach;
    return room < 1 ? 0 : (room - 1) / stride[axis] + 1;
  }
  int64_t sources() const { return input[0] * input[1] * input[2]; }
  int64_t targets() const { return channels * output(0) * output(1); }
  int64_t inPerGroup() const { return input[0] / groups; }
  int64_t outPerGroup() const { return channels / groups; }
  int64_t weights() const {
    return channels * inPerGroup() * kernel[0] * kernel[1];
  }

  /// Returns how many taps are inside the input.
  int64_t countTaps() const {
    return channels * inPerGroup() * tapsAlong(0) * tapsAlong(1);
  }
  /// Calls use(target, source, weight) for each tap inside the input, by
  /// target channel, source channel, then target.
  template <typename F> void taps(F use) const {
    for (int64_t co = 0; co < channels; ++co)
      for (int64_t ci = 0; ci < inPerGroup(); ++ci)
        planeTaps(co, co / outPerGroup() * inPerGroup() + ci,
                  (co * inPerGroup() + ci) * kernel[0] * kernel[1], use);
  }

private:
  /// A row of outputs and of the kernel, of which those inside count.
  int64_t tapsAlong(int axis) const {
    int64_t taps = 0;
    for (int64_t position = 0; position < output(axis); ++position)
      for (int64_t k = 0; k < kernel[axis]; ++k) {
        int64_t s =
            position * stride[axis] + k * dilation[axis] - padding[axis];
        taps += s >= 0 && s < input[axis + 1];
      }
    return taps;
  }

  template <typename F>
  void planeTaps(int64_t co, int64_t ci, int64_t firstWeight, F use) const {
    int64_t height = output(0), width = output(1);
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x)
        for (int64_t ky = 0; ky < kernel[0]; ++ky)
          for (int64_t kx = 0; kx < kernel[1]; ++kx) {
            int64_t sy = y * stride[0] + ky * dilation[0] - padding[0];
            int64_t sx = x * stride[1] + kx * dilation[1] - padding[1];
            if (sy < 0 || sy >= input[1] || sx < 0 || sx >= input[2])
              continue;
            use((co * height + y) * width + x,
                (ci * input[1] + sy) * input[2] + sx,
                firstWeight + ky * kernel[1] + kx);
          }
  }
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_WINDOW_H
