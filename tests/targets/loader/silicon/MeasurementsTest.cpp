// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/silicon/Measurements.cpp,
// targets/loader/silicon/Quantities.cpp: what is read of a file of
// measurements, and what is refused, with its place.

#include "tests/targets/Support.h"

#include "targets/loader/silicon/Measurements.h"

using namespace dendrolith;
using namespace dendrolith::test;
using namespace dendrolith::silicon;

namespace {

const std::string good = R"(sources:
  lab:
    citation: a lab
    repository: lab/data
    commit: 0123456789012345678901234567890123456789
    licence: BSD-3-Clause
files:
  net.net:
    source: lab
    path: some/net.net
    sha256: 0123456789012345678901234567890123456789012345678901234567890123
workloads:
  made: {generate: --neurons 10}
  own: {fetched: net.net, silent: [8, 4], first_step: 2}
measurements:
  - {id: A, chip: loihi2, workload: made, quantity: time_step, value: 1.5, unit: us, uncertainty: 0.1, scope: chip, source: lab, where: table 1, read: text}
  - {id: B, chip: loihi1, workload: own, quantity: counter, counter: synops, cores: [3, 5], value: 0, unit: 1, scope: cores, source: lab, where: figure 2, read: figure}
  - {id: C, chip: loihi1, because: no network is public, quantity: energy_sample, value: 3, unit: uJ, scope: board, source: lab, where: table 3, read: text}
)";

TEST(Measurements, RowsHaveTheirSourceAndNetwork) {
  const Measurements read = parseMeasurements(good, "folder/lab.yaml");
  ASSERT_EQ(read.rows.size(), 3u);
  const Measurement &time = read.rows[0], &count = read.rows[1];
  EXPECT_DOUBLE_EQ(time.value, 1500);
  EXPECT_DOUBLE_EQ(time.uncertainty, 100);
  EXPECT_TRUE(time.isModelled());
  EXPECT_EQ(time.source.commit, "0123456789012345678901234567890123456789");
  EXPECT_EQ(read.workload(time.workload).generate, "--neurons 10");
  EXPECT_EQ(count.quantity, Quantity::Counter);
  EXPECT_EQ(count.firstCore, 3u);
  EXPECT_EQ(count.lastCore, 5u);
  EXPECT_EQ(read.file(read.workload("own").fetched).from.repository,
            "lab/data");
  EXPECT_FALSE(read.rows[2].isModelled());
  EXPECT_EQ(read.rows[2].because, "no network is public");
}

/// Replaces `from` by `to`; the message must stand in the line of `to`.
void expect(const std::string &from, const std::string &to,
            const std::string &says) {
  const std::string text = edit(good, from, to);
  const std::string message =
      messageOf([&] { parseMeasurements(text, "lab.yaml"); });
  const std::string where = place(text, to);
  EXPECT_EQ(message.find("lab.yaml:" + where.substr(0, where.find(':') + 1)),
            0u)
      << message;
  EXPECT_NE(message.find(says), std::string::npos) << message;
}

TEST(Measurements, WhatIsMissingIsNamed) {
  expect("unit: us, uncertainty", "uncertainty", "missing key 'unit'");
  expect("scope: chip, source: lab, where: table 1",
         "source: lab, where: table 1", "missing key 'scope'");
  expect("source: lab, where: table 1", "where: table 1",
         "missing key 'source'");
  expect("workload: made, quantity: time_step", "quantity: time_step",
         "expected 'workload' or 'because'");
  expect("because: no network is public, quantity: energy", "quantity: energy",
         "expected 'because'");
}

TEST(Measurements, WrongValuesAreRefused) {
  expect("value: 1.5, unit: us", "value: 0, unit: us", "'value' is 0");
  expect("value: 1.5", "value: -1.5", "value");
  expect("value: 1.5", "value: .inf", "value");
  expect("unit: us, uncertainty", "unit: uJ, uncertainty", "unit");
  expect("chip: loihi2", "chip: loihi3", "unknown chip 'loihi3'");
  expect("counter: synops", "counter: synapses", "unknown counter 'synapses'");
  expect("scope: chip", "scope: rack", "scope");
  expect("{id: B, chip: loihi1, workload: own",
         "{id: A, chip: loihi1, workload: own",
         "a measurement 'A' is there already");
  expect("cores: [3, 5]", "cores: [5, 3]", "cores");
  expect("sha256: 01", "sha256: 1", "expected 64 hexadecimal digits");
  expect("path: some/net.net", "path: a';rm", "expected names of letters");
  expect("fetched: net.net", "generate: x, fetched: net.net",
         "expected one of model, generate and fetched");
  expect("table 1, read: text}", "table 1, read: text, phase: [4, 4]}",
         "phase");
}

TEST(Measurements, ShippedFilesAreRead) {
  const std::vector<std::string> files = shippedMeasurements();
  ASSERT_GE(files.size(), 2u);
  size_t rows = 0;
  for (const std::string &file : files)
    rows += readMeasurements(file).rows.size();
  EXPECT_GE(rows, 42u);
}

} // namespace
