// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/WarningText.h"

#include "simulator/report/result/Result.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

TEST(WarningText, LinesAndTheirNumber) {
  nlohmann::ordered_json result = emptyResult().json;
  EXPECT_EQ(formatWarnings(result), "");
  EXPECT_EQ(countWarnings(result), "");
  addWarnings(
      result,
      {{"b", "layer 'x'", "one"}, {"a", "", "two"}, {"b", "y", "\x1b"}});
  EXPECT_EQ(formatWarnings(result), "Warnings (3)\n  layer 'x': one [b]\n"
                                    "  two [a]\n  y: ? [b]\n\n");
  EXPECT_EQ(countWarnings(result), "Warnings: 3 (a, b x 2)\n");
}

} // namespace
} // namespace dendrolith::report
