// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a chip stores the weights of convolutions.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_KERNELS_H
#define DENDROLITH_TARGETS_LOADER_CHIP_KERNELS_H

#include "targets/loader/chip/Chip.h"

#include <algorithm>

namespace dendrolith {

/// The record that says it; a chip without it stores lists.
constexpr const char *kKernelsRecord = "synapse_memory.kernels";

/// Whether a core stores the kernel of a convolution once and finds the weights
/// of a source by its place.
inline bool storesKernels(const Chip &chip) {
  return std::any_of(
      chip.records.begin(), chip.records.end(), [](const Record &record) {
        return record.name == kKernelsRecord && record.value == "true";
      });
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_KERNELS_H
