// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that wait for others of the same targets add what they would one by one.

#include "simulator/functional/rows/RowBatch.h"
#include "tests/simulator/functional/rows/SpreadLayer.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

/// Payloads of a step: spikes, small and large values, and all of them mixed.
const std::vector<std::vector<int64_t>> kPayloads = {
    {1}, {8191, -8191}, {8192, INT64_MIN, 40000}, {1, -3, 8191, 1, 1, 40000}};

TEST(RowBatch, AddsWhatRowsAddOneByOne) {
  for (int largest : {1, 32767})
    for (uint32_t lacking : {0, 2, 10})
      for (uint32_t delays : {1, 2}) {
        const image::Program program =
            spreadLayer(lacking, /*shifts=*/20, delays, largest);
        const sim::Machine machine(program, sim::Machine::Lists::Left);
        const sim::Rows rows(program, machine, nullptr);
        sim::BucketLayout layout = rows.layout();
        layout.counted = {}; // so that sums are where compare() looks
        sim::State together(machine, layout), single(machine, layout);
        for (const std::vector<int64_t> &payloads : kPayloads)
          // Every source, or so few that some rows wait until the end.
          for (uint32_t each : {1, 3, 11}) {
            SCOPED_TRACE(testing::Message() << largest << " " << lacking << " "
                                            << delays << " " << each);
            sim::RowBatch batch(rows, 0, together);
            for (uint32_t source = 0; source < machine.sources();
                 source += each) {
              const int64_t payload = payloads[source % payloads.size()];
              batch.send(source, payload, source);
              rows.send(source, payload, 0, single);
            }
            if (lacking == 0 && payloads.size() == 1) {
              // Else nothing would have waited here.
              EXPECT_TRUE(together.accumulators.compare(single.accumulators));
            }
            batch.flush();
            batch.flush(); // A second time there is nothing left.
            ASSERT_FALSE(together.accumulators.compare(single.accumulators));
          }
      }
}

} // namespace
} // namespace dendrolith::test
