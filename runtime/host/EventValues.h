// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs that carry events hold nothing but 0 and 1, which has to be seen of
// each of many millions of values before a run.

#ifndef DENDROLITH_RUNTIME_HOST_EVENTVALUES_H
#define DENDROLITH_RUNTIME_HOST_EVENTVALUES_H

#include "runtime/host/SampleValues.h"

#include <algorithm>
#include <cstddef>

namespace dendrolith {

/// The index of the first value that is neither 0 nor 1; their number if there
/// is none. A block at a time, which compilers make vectors of.
inline size_t firstNoEvent(const SampleValues &values) {
  return values.visit([](const auto &all) {
    constexpr size_t block = 1 << 12;
    const auto *at = all.data(), *const end = at + all.size();
    while (at != end) {
      const auto *const last = at + std::min(size_t(block), size_t(end - at));
      bool other = false;
      for (const auto *each = at; each != last; ++each)
        other |= (*each != 0) & (*each != 1);
      if (other)
        break;
      at = last;
    }
    while (at != end && (*at == 0 || *at == 1))
      ++at;
    return size_t(at - all.data());
  });
}

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_EVENTVALUES_H
