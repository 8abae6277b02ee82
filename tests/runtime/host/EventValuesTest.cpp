// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/host/Signals.h.

#include "runtime/host/Signals.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dendrolith {
namespace {

template <typename T> void findEach(std::initializer_list<T> others) {
  for (size_t size : {0, 1, 4095, 4096, 4097, 10000}) {
    std::vector<T> events(size);
    for (size_t i = 0; i < size; i += 3)
      events[i] = 1;
    EXPECT_EQ(firstNoEvent(SampleValues(events)), size);
    for (size_t at : {0, 4095, 4096, 9999})
      for (T other : others)
        if (at < size) {
          std::vector<T> values = events;
          values[at] = values.back() = other;
          EXPECT_EQ(firstNoEvent(SampleValues(values)), at);
        }
  }
}

TEST(EventValues, TheFirstThatIsNone) {
  findEach<double>({0.5, -1, NAN, INFINITY});
  findEach<float>({0.5f, 2, NAN});
  findEach<int32_t>({-1, 2, 256});
  findEach<int8_t>({-1, 2});
  findEach<uint8_t>({2, 255});
}

} // namespace
} // namespace dendrolith
