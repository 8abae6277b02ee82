// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/MessageJson.h"

#include "runtime/image/program.pb.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

TEST(MessageJson, HasEveryFieldInOrder) {
  image::QuantRow row;
  row.set_layer("a \"b\"");
  row.set_scale(0.1);
  row.set_shift(-6);
  row.set_lossless(true);
  EXPECT_EQ(toJson(row).dump(),
            R"({"layer":"a \"b\"","source":"","scale":0.1,"weight_bits":0,)"
            R"("shift":-6,"weights":0,"clipped":0,"zeroed":0,)"
            R"("lossless":true,"max_error":0.0,"detail":""})");
}

TEST(MessageJson, HasRowsWithinRows) {
  image::Program program;
  image::Layer &layer = *program.add_layers();
  layer.set_neurons(uint64_t(1) << 63);
  layer.add_branches()->set_end(2);
  EXPECT_EQ(rowsToJson(program.layers()).dump(),
            R"([{"population":"","neurons":9223372036854775808,)"
            R"("branches":[{"first":0,"end":2,"modes":0,"complex":false}],)"
            R"("sources":[]}])");
  EXPECT_EQ(rowsToJson(program.fit()).dump(), "[]");
}

// Arrays of numbers are tables, and tables are not rows.
TEST(MessageJson, RefusesWhatIsNoRow) {
  EXPECT_THROW(toJson(image::Population()), std::logic_error);
}

} // namespace
} // namespace dendrolith::report
