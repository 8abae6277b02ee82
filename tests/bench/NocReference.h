// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our mesh beside rows that another simulator measured (BookSim2: N. Jiang et
// al., A Detailed and Flexible Cycle-Accurate Network-on-Chip Simulator, ISPASS
// 2013, https://github.com/booksim/booksim2). The limits:
//   offered 0.05 up to 75 % of saturation   latency within 1 %
//   up to 90 % of saturation                within 5 % or 3 seed deviations
//   offered below 0.05                      what is left of the latency after 3
//                                           cycles per router within 1 % of it
//   overload, uniform and bitcomp, buffers of 2 and more
//                                           accepted throughput within 3 %
// Nearer to saturation the reference's own seeds differ by up to 9 %; those
// rows are printed without a limit. Saturation is what the first unstable row
// of the same network accepted, else one over the largest link load.

#ifndef DENDROLITH_TESTS_BENCH_NOCREFERENCE_H
#define DENDROLITH_TESTS_BENCH_NOCREFERENCE_H

#include <cstdint>
#include <string>

namespace dendrolith::test {

struct ReferenceOptions {
  unsigned seeds = 3, every = 1;
  uint64_t measured = 36000; // cycles
};

/// Prints a CSV row for each and a summary to standard error. False when a
/// limit is missed. Throws Error when the file is not what it should be.
bool compareWithReference(const std::string &path,
                          const ReferenceOptions &options);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_BENCH_NOCREFERENCE_H
