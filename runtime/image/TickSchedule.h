// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When an input, a population or a group has its ticks, in steps of the chip.

#ifndef DENDROLITH_RUNTIME_IMAGE_TICKSCHEDULE_H
#define DENDROLITH_RUNTIME_IMAGE_TICKSCHEDULE_H

#include <cstdint>

namespace dendrolith {

/// Tick q is in step
///   phase + period * (q / ticks) + stride * (q mod ticks),
/// where `period` is the program's steps per tick of the root clock.
struct TickSchedule {
  uint64_t phase = 0, ticks = 1, stride = 1;

  TickSchedule() = default;
  /// As an image's message has it: ticks and a stride of 0 count as 1.
  template <typename Image>
  explicit TickSchedule(const Image &image)
      : phase(image.phase()), ticks(image.ticks() ? image.ticks() : 1),
        stride(image.stride() ? image.stride() : 1) {}
};

} // namespace dendrolith

namespace dendrolith::image {

/// Steps of an in-axon's delay: each core keeps as many buckets for every
/// accumulator. Where a chip has no limit of its own, the schedule holds
/// populations back for longer delays.
inline constexpr uint32_t kMostDelay = 4096;

} // namespace dendrolith::image

#endif // DENDROLITH_RUNTIME_IMAGE_TICKSCHEDULE_H
