// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts that a test says by hand: those that it leaves out are 0.

#ifndef DENDROLITH_TESTS_SIMULATOR_EVENTS_EXPECTCOUNTS_H
#define DENDROLITH_TESTS_SIMULATOR_EVENTS_EXPECTCOUNTS_H

#include "simulator/events/Counts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dendrolith::test {

using ExpectedCounts = std::vector<std::pair<Counter, uint64_t>>;

inline void expectCounts(const std::string &what, const sim::CoreCounts &counts,
                         const ExpectedCounts &nonZero) {
  sim::CoreCounts expected;
  for (const auto &[counter, value] : nonZero)
    expected[counter] = value;
  for (size_t i = 0; i < kCounters; ++i)
    EXPECT_EQ(counts[static_cast<Counter>(i)],
              expected[static_cast<Counter>(i)])
        << what << " " << counterName(static_cast<Counter>(i));
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_EVENTS_EXPECTCOUNTS_H
