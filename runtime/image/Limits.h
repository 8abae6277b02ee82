// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of every program image, whatever the chip.

#ifndef DENDROLITH_RUNTIME_IMAGE_LIMITS_H
#define DENDROLITH_RUNTIME_IMAGE_LIMITS_H

#include <cstdint>

namespace dendrolith::image {

/// Steps of an in-axon's delay: each core keeps as many buckets for every
/// accumulator. Where a chip has no limit of its own, the schedule holds
/// populations back for longer delays.
inline constexpr uint32_t kMostDelay = 4096;

} // namespace dendrolith::image

#endif // DENDROLITH_RUNTIME_IMAGE_LIMITS_H
