// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many of up to four packed weights are not zero, in one word instead of
// one by one.
//
// The plain twin is a loop that compares each weight with 0. CountNonZeroTest
// holds both equal. tests/bench/study.py shows the gain: with the twin,
// preparing a run of 10,000 and 100,000 neurons takes 7 % and 19 % longer.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTNONZERO_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTNONZERO_H

#include "runtime/arrays/LittleEndian.h"

#include <cstdint>
#include <type_traits>

namespace dendrolith::sim {

/// Looks at `count` of the four numbers of type `Weight`, one or two bytes
/// each, that lie from `from` on; all four must be there to be read.
template <typename Weight>
uint32_t countNonZero(const char *from, uint32_t count) {
  constexpr uint32_t all = 4;
  using Word = std::conditional_t<sizeof(Weight) == 1, uint32_t, uint64_t>;
  constexpr unsigned bits = 8 * sizeof(Weight);
  constexpr Word ones = ~Word(0) / static_cast<Weight>(~Weight(0));
  constexpr Word high = ones << (bits - 1);
  Word word = loadLittle<Word>(from);
  if (count < all)
    word &= (Word(1) << (count * bits)) - 1;
  // Adding the largest number without a high bit to the low bits of each
  // carries into its high bit if any of them was set.
  word = (((word & ~high) + ~high) | word) & high;
  // The product sums the high bits, moved down, in its highest number.
  return static_cast<uint32_t>(((word >> (bits - 1)) * ones) >>
                               ((all - 1) * bits));
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTNONZERO_H
