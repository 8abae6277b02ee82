// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ways of compressing blocks (Sha256.h).

#ifndef NEURITE_TARGETS_SUPPORT_SHA256ROUNDS_H
#define NEURITE_TARGETS_SUPPORT_SHA256ROUNDS_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace neurite::sha256rounds {

using State = std::array<uint32_t, 8>;
extern const uint32_t roundConstants[64];

/// Whether compressFast() may be called.
bool hasInstructions();
void compressFast(State &state, const unsigned char *data, size_t blocks);

} // namespace neurite::sha256rounds

#endif // NEURITE_TARGETS_SUPPORT_SHA256ROUNDS_H
