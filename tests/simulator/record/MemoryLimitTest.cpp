// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/record/Recorder.cpp.

#include "simulator/record/Recorder.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

TEST(MemoryLimit, AddsUpAndRefusesWhatMemoryCannotHold) {
  uint64_t used = 0;
  EXPECT_EQ(reserveValues(used, 2, 3, 4, "a"), 24u);
  EXPECT_EQ(reserveValues(used, 1, 1, 6, "b"), 6u);
  EXPECT_EQ(used, 30u);
  for (uint64_t width : {uint64_t(5120), uint64_t(1) << 60}) {
    try {
      reserveValues(used, 1, 524288, width, "H0:S");
      ADD_FAILURE() << width;
    } catch (const Error &error) {
      const std::string text = error.what();
      EXPECT_EQ(
          text.rfind("'H0:S': expected outputs and traces of at most ", 0), 0u)
          << text;
      if (width == 5120) {
        EXPECT_NE(text.find("take 21.5 GB; run fewer"), std::string::npos)
            << text;
      }
    }
  }
  EXPECT_EQ(used, 30u);
}

} // namespace
} // namespace dendrolith::sim
