// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What arrives at each core, counted by core where a table takes in-axons in
// order, and row by row where it does not, against a sum over all rows.

#include "runtime/image/Tables.h"
#include "runtime/validate/Check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace dendrolith;
using check::CoreIndex;
using check::CoreTables;

namespace {

constexpr uint32_t kCores = 5, kSources = 40;
constexpr uint64_t kPayload = 3;

/// Rows of sources that take the in-axons of each core one after the other.
AxonTable inOrder(std::mt19937 &random) {
  AxonTable table;
  uint32_t next[kCores] = {};
  for (uint32_t source = 0; source < kSources; ++source) {
    for (uint32_t core = 0; core < kCores; ++core)
      if (random() % 2)
        table.rows.push_back({core, next[core]++});
    table.begin.push_back(uint32_t(table.rows.size()));
  }
  return table;
}

/// The same messages, but each core's in-axons are taken from the last one.
AxonTable backwards(AxonTable table) {
  uint32_t count[kCores] = {};
  for (const AxonRow &row : table.rows)
    ++count[row.core];
  for (AxonRow &row : table.rows)
    row.axon = count[row.core] - 1 - row.axon;
  return table;
}

CoreIndex coresOf(std::mt19937 &random, bool oneShift) {
  CoreIndex cores;
  for (uint32_t core = 0; core < kCores; ++core) {
    CoreTables tables;
    tables.largestWeight = random() % 100;
    tables.oneShift = oneShift;
    for (uint32_t axon = 0; axon < kSources; ++axon)
      tables.shifts.push_back(uint8_t(oneShift ? 2 : random() % 4));
    cores.add(core, std::move(tables));
  }
  return cores;
}

void expectSums(const AxonTable &table, CoreIndex cores) {
  uint64_t expected[kCores] = {};
  for (const AxonRow &row : table.rows) {
    const CoreTables &core = *cores.find(row.core);
    expected[row.core] +=
        (core.largestWeight << core.shifts[row.axon]) * kPayload;
  }
  check::checkAxons("input 'x'", encodeAxons(table), kSources, kPayload, cores);
  for (uint32_t core = 0; core < kCores; ++core)
    EXPECT_EQ(uint64_t(cores.find(core)->arriving), expected[core]);
}

} // namespace

TEST(CheckAxons, CountsWhatArrivesInEitherForm) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round)
    for (bool oneShift : {false, true}) {
      const AxonTable table = inOrder(random);
      const CoreIndex cores = coresOf(random, oneShift);
      expectSums(table, cores);
      expectSums(backwards(table), cores);
    }
}

// A core's largest weight with its largest shift may meet in no accumulator.
TEST(CheckAxons, EachAccumulatorHasItsOwnSum) {
  image::Core core;
  core.mutable_synapses()->set_lists(
      encodeLists({{0, 2, 0, 1, ListKind::Dense, 31, 8, 0},
                   {2, 2, 0, 1, ListKind::Sparse, 0, 8, 8},
                   {4, 2, 2, 1, ListKind::Conv, 1, 8, 8}}));
  core.mutable_synapses()->set_weights(encodeI16({1, -2, 100, 90, 3, -4}));
  core.mutable_synapses()->set_offsets(encodeU32({1, 4, 0, 1}));
  core.set_in_axons(encodeInAxons({{0, 0}, {1, 0}, {2, 0}}));
  CoreTables tables;
  tables.largestWeight = 100;
  tables.shifts = {31, 0, 1};
  tables.sums = std::make_shared<check::AccumulatorSums>(core);
  CoreIndex cores;
  cores.add(0, std::move(tables));
  AxonTable table;
  table.rows = {{0, 0}, {0, 1}};
  table.begin = {0, 2, 2};
  check::checkAxons("input 'x'", encodeAxons(table), 2, 5, cores);
  EXPECT_EQ(uint64_t(cores.cores[0].arriving), 0u);
  // Accumulator 1 has the weight of -2 and that of 100.
  EXPECT_EQ(uint64_t(cores.cores[0].sums->largest()),
            5 * ((uint64_t(2) << 31) + 100));
  // A kernel may reach any accumulator.
  cores.cores[0].sums->add(2, 3);
  EXPECT_EQ(uint64_t(cores.cores[0].sums->largest()),
            5 * ((uint64_t(2) << 31) + 100) + 3 * 8);
}
