// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the ticks of a sample's read-out become one answer, or one each.

#ifndef DENDROLITH_RUNTIME_HOST_DECODE_H
#define DENDROLITH_RUNTIME_HOST_DECODE_H

#include <cstdint>
#include <string>

namespace dendrolith {

/// The mean over the last ticks of the output's clock, or over all of them. For
/// a class the sum is as good as the mean. Or an answer at each tick.
struct Decode {
  uint64_t last = 0; // 0 = all
  bool each = false; // then `last` is 0

  bool operator==(const Decode &other) const {
    return last == other.last && each == other.each;
  }
};

/// "mean" (also by an empty text), "each", or "last=N", N from 1 to 2^32 - 1.
/// Throws Error with `place` in front of it.
Decode parseDecode(const std::string &text, const std::string &place);

/// "mean", "each" or "last=N".
std::string toString(const Decode &decode);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_DECODE_H
