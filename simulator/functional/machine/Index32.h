// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INDEX32_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INDEX32_H

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace dendrolith::sim {

/// What a machine has many of is numbered by 32 bits. Throws Error beyond them.
inline uint32_t index32(uint64_t value, const char *what) {
  if (value >= std::numeric_limits<uint32_t>::max())
    throw Error(fmt::format("program: expected fewer than 2^32 - 1 {}, found "
                            "{}; split the network over several programs",
                            what, value));
  return static_cast<uint32_t>(value);
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INDEX32_H
