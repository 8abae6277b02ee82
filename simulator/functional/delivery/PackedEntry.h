// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A synapse in one word of 32 bits: the weight in so many high bits, and the
// accumulator in the others. A shift to the right alone then gives a weight at
// any place below (CountedSums).

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_PACKEDENTRY_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_PACKEDENTRY_H

#include <cstdint>

namespace dendrolith::sim {

/// `bits` are those of the weight, of which `weight` has no more but its sign.
inline uint32_t packEntry(uint32_t accumulator, uint32_t weight,
                          unsigned bits) {
  return weight << (32 - bits) | accumulator;
}

inline uint32_t accumulatorOf(uint32_t entry, unsigned bits) {
  return entry & ((uint32_t(1) << (32 - bits)) - 1);
}

inline int32_t weightOf(uint32_t entry, unsigned bits) {
  return static_cast<int32_t>(entry) >> (32 - bits);
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_PACKEDENTRY_H
