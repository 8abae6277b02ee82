// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether memory has room for what a run records until its end.

#ifndef DENDROLITH_SIMULATOR_RECORD_MEMORYLIMIT_H
#define DENDROLITH_SIMULATOR_RECORD_MEMORYLIMIT_H

#include <cstdint>
#include <string>

namespace dendrolith::sim {

/// Adds samples * ticks * width to `used`, values that lie in memory until the
/// end of a run, and returns them. Throws Error that says how much memory they
/// take where they are more than 2^31 or take more than half of the machine's.
uint64_t reserveValues(uint64_t &used, uint64_t samples, uint64_t ticks,
                       uint64_t width, const std::string &name);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_MEMORYLIMIT_H
