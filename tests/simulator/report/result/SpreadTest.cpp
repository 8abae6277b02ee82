// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Spread.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace dendrolith::report {
namespace {

TEST(Spread, PercentilesAreOfTheValues) {
  std::vector<double> values(20);
  std::iota(values.rbegin(), values.rend(), 1.0); // 20 to 1
  nlohmann::ordered_json spread = spreadOf(values);
  // The standard error of the mean is 1.29.
  EXPECT_NEAR(spread["interval"]["low"], 10.5 - 1.96 * 1.29, 0.3);
  EXPECT_NEAR(spread["interval"]["high"], 10.5 + 1.96 * 1.29, 0.3);
  spread.erase("interval");
  EXPECT_EQ(spread.dump(),
            R"({"mean":10.5,"p50":10.0,"p95":19.0,"min":1.0,"max":20.0})");
  EXPECT_EQ(
      spreadOf({3}).dump(),
      R"({"mean":3.0,"p50":3.0,"p95":3.0,"min":3.0,"max":3.0,"interval":null})");
}

TEST(Spread, NothingHasNone) { EXPECT_TRUE(spreadOf({}).is_null()); }

} // namespace
} // namespace dendrolith::report
