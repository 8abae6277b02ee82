// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the states of programs go in a run. A run compares it with what
// calibration saw, so only states that the image says are calibrated are looked
// at (Machine::Watched): by scanWords() (WordScan.h), and for fixed-function
// neurons, whose reset would hide it, by stepShared() and updateCuba().

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_PEAKS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_PEAKS_H

namespace dendrolith::sim {

/// The magnitude of x, where negative numbers count from -1 downwards: one less
/// for those, so that it needs as many bits as x.
template <typename Int> Int sizeOf(Int x) {
  return x ^ (x >> (8 * sizeof(Int) - 1));
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_PEAKS_H
