// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts times prices, added up as the decimal numbers that they are. In binary
// 3 x 0.1 pJ is 0.30000000000000004 pJ, and the energies of layers add up to
// the total but for the last digits; here they add up to the last digit.

#ifndef DENDROLITH_SIMULATOR_ENERGY_EXACTSUM_H
#define DENDROLITH_SIMULATOR_ENERGY_EXACTSUM_H

#include <cstdint>

namespace dendrolith::sim {

class ExactSum {
public:
  /// Adds `count` times `price`. It is exact for prices of at most nine digits
  /// behind the point and 15 in all, and as exact as floating point for others.
  void add(uint64_t count, double price);

  /// The double next to the sum.
  double value() const;

private:
  __extension__ typedef __int128 Wide;
  Wide units = 0; // each 10^-9
  double rest = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_ENERGY_EXACTSUM_H
