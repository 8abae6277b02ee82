// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large a message is.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_PAYLOAD_H
#define DENDROLITH_TARGETS_LOADER_CHIP_PAYLOAD_H

#include "targets/loader/chip/Sections.h"

#include <cstdint>

namespace dendrolith {

/// Bits that hold every value of [low, high]: two's complement if low < 0.
uint32_t payloadBits(int64_t low, int64_t high);

/// Whether the host of a chip injects each value of [low, high] in one message.
/// Zeros and ones are spikes, which every host injects.
bool hostSends(const HostAbility &host, int64_t low, int64_t high);

/// Flits of a message whose payload has that many bits: 1 unless it exceeds
/// the mesh's flit.
uint64_t flitsOf(const Mesh &mesh, uint32_t payloadBits);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_PAYLOAD_H
