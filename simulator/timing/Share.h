// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which samples a worker of the cycle engine runs. Samples share nothing, so
// that several workers give what one gives.

#ifndef DENDROLITH_SIMULATOR_TIMING_SHARE_H
#define DENDROLITH_SIMULATOR_TIMING_SHARE_H

#include <cstdint>

namespace dendrolith::sim {

/// Sample `first` and each `stride`-th after it, so that a file whose samples
/// grow longer and longer keeps all workers busy.
struct Share {
  uint64_t first = 0, stride = 1;

  /// How many they are of all samples.
  uint64_t of(uint64_t samples) const {
    return first < samples ? (samples - first - 1) / stride + 1 : 0;
  }
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_SHARE_H
