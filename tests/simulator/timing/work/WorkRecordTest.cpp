// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/work/WorkRecord.cpp: the bytes by hand.

#include "simulator/timing/work/WorkRecord.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

TEST(WorkRecord, KeepsWorkOnceAndSourcesByTheirDistance) {
  WorkRecord record(1);
  const WorkPiece piece = {{0, 1}, {2, 300}};
  record.send(0, piece, 7);
  record.send(0, piece, 5);
  record.sendToHost(0, {}, 1);
  record.endStep(0, {});
  record.inject(4, 2);
  record.endInjections();
  const std::string expected = {
      2, 9,  1,                  // samples, ticks, cores
      2,                         // pieces
      2, 0,  1, 2, char(172), 2, // the first: two kinds, 300 = 2 * 128 + 44
      0,                         // the second: nothing
      8,                         // bytes of steps
      3, 1,                      // three messages, nothing behind them
      0, 28,                     // the first piece, then source 0 + 7
      0, 6,                      // the same, then 7 - 2
      1, 3,                      // nothing, then output 1
      3,                         // the host's bytes
      1, 8,  2};                 // one input: source 0 + 4, twice
  EXPECT_EQ(record.bytes(2, 9), expected);
}

TEST(WorkRecord, ReaderStopsAtTheEnd) {
  const std::string bytes = {char(129), 1, 3, 'a'};
  RecordReader reader(bytes.data(), bytes.data() + bytes.size());
  EXPECT_EQ(reader.next(), 129u);
  EXPECT_THROW(reader.part(), Error); // it has one byte and says three
  RecordReader empty(bytes.data(), bytes.data());
  EXPECT_TRUE(empty.atEnd());
  EXPECT_THROW(empty.next(), Error);
  EXPECT_EQ(reader.source(5, 9), 6u);
  EXPECT_EQ(reader.source(4, 9), 11u);
}

} // namespace
} // namespace dendrolith::sim
