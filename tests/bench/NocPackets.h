// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packets that somebody else's routers carried, through ours with the times of
// a chip: when each arrives.

#ifndef DENDROLITH_TESTS_BENCH_NOCPACKETS_H
#define DENDROLITH_TESTS_BENCH_NOCPACKETS_H

#include "targets/loader/chip/Timing.h"

#include <cstdint>
#include <string>

namespace dendrolith::test {

/// `path` is a CSV file with the first line `time_ps,source,destination` and a
/// packet in each other, by rising time; tiles are numbered row by row. Prints
/// the time at which each arrives, in the order of the file. Throws Error when
/// the file is not what it should be.
void printArrivals(const std::string &path, const NocTiming &noc,
                   uint32_t width, uint32_t height);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_BENCH_NOCPACKETS_H
