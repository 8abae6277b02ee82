// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cores of a program side by side, as a thread or a process has them.

#ifndef DENDROLITH_SIMULATOR_OPTIONS_CORESHARE_H
#define DENDROLITH_SIMULATOR_OPTIONS_CORESHARE_H

#include <cstdint>

namespace dendrolith::sim {

/// Cores [first, end) of a program.
struct CoreShare {
  uint32_t first = 0, end = 0;
  bool has(uint32_t core) const { return core - first < end - first; }
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_OPTIONS_CORESHARE_H
