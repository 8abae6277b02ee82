// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of every program image, whatever the chip.

#ifndef NEURITE_RUNTIME_IMAGE_LIMITS_H
#define NEURITE_RUNTIME_IMAGE_LIMITS_H

#include <cstdint>

namespace neurite::image {

/// Steps of an in-axon's delay: each core keeps as many buckets for every
/// accumulator. Where a chip has no limit of its own, the schedule holds
/// populations back for longer delays.
inline constexpr uint32_t kMostDelay = 4096;

} // namespace neurite::image

#endif // NEURITE_RUNTIME_IMAGE_LIMITS_H
