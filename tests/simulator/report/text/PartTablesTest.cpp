// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/PartTables.h"

#include "targets/loader/Target.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// The lines of a text, without what stands around their words.
std::vector<std::string> lines(const std::string &text) {
  std::vector<std::string> all = {""};
  for (char c : text)
    if (c == '\n')
      all.emplace_back();
    else if (c != ' ' || (!all.back().empty() && all.back().back() != ' '))
      all.back() += c;
  all.pop_back();
  return all;
}

TEST(PartTables, SamplesLargestFirst) {
  Json energies = {{"low", {10, 30, 30, nullptr}},
                   {"high", {20, 90, 90, nullptr}}};
  const auto text = lines(formatBySample(energies, {1.5, 2.5, 3.5, 4.5},
                                         {true, false, true, true}, nullptr));
  const std::vector<std::string> expected = {
      "Energy by sample",
      "sample share low (pJ) high (pJ) latency (ns) correct",
      "1 45.0 % 30.000 90.000 2.500 no",
      "2 45.0 % 30.000 90.000 3.500 yes",
      "0 10.0 % 10.000 20.000 1.500 yes",
      "3 - - - 4.500 yes",
      "total 100.0 % 70.000 200.000"};
  ASSERT_EQ(text.size(), expected.size() + 1); // and the mean's interval
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(text[i], expected[i]);
  EXPECT_EQ(text.back().find("Mean energy of all such samples: "), 0u);
}

TEST(PartTables, ManySamplesAreCutButCounted) {
  std::vector<double> values(1020, 5000);
  Json energies = {{"low", values}, {"high", values}};
  const std::string text = formatBySample(energies, nullptr, nullptr, nullptr);
  EXPECT_NE(text.find("and 1,000 with less energy; tables.json has all"),
            std::string::npos);
  // One column where both ends are the same, in a unit that keeps digits few.
  EXPECT_NE(text.find("energy (nJ)"), std::string::npos);
  EXPECT_NE(text.find("5100.000"), std::string::npos);
}

TEST(PartTables, Events) {
  Json bill = {{"by_event",
                {{"synops.dense",
                  {{"count", 4},
                   {"energy_pJ", 1},
                   {"kind", "derived"},
                   {"source", "x"}}},
                 {"synmem_words",
                  {{"count", 9},
                   {"energy_pJ", nullptr},
                   {"in", "synops"},
                   {"source", "x"}}},
                 {"hops_ew",
                  {{"count", 2},
                   {"energy_pJ", 3},
                   {"kind", "published"},
                   {"source", "y"}}},
                 {"resets", {{"count", 0}}}}}};
  EXPECT_EQ(lines(formatByEvent(bill, bill)),
            (std::vector<std::string>{
                "Energy by event", "event share energy (pJ) count kind source",
                "hops_ew (east-west) 75.0 % 3.000 2 published y",
                "synops.dense 25.0 % 1.000 4 derived x",
                "synmem_words - - 9 in synops x", "total 100.0 % 4.000"}));
}

/// Integer spikes are spikes; integer synops are a part of the others.
TEST(PartTables, Layers) {
  Json counts = {{"neuron_updates_active", 3},
                 {"neuron_updates_inactive", 4},
                 {"spikes", {{"binary", 0}, {"unary", 1}, {"graded", 2}}},
                 {"synops", {{"dense", 5}, {"graded", {{"dense", 5}}}}},
                 {"messages", 6}};
  Json layers = {{{"population", "p"},
                  {"kind", "population"},
                  {"neurons", 7},
                  {"counts", counts},
                  {"energy_pJ", {{"low", 1}, {"high", 1}}}}};
  const auto text = lines(formatByLayer(layers, Json::array()));
  ASSERT_GT(text.size(), 2u);
  EXPECT_EQ(text[2], "p population 7 100.0 % 1.000 7 3 5 6");
  const auto each = lines(formatByLayer(layers, Json::array(), {"", 4}));
  EXPECT_EQ(each[2], "p population 7 100.0 % 0.250 1.75 0.75 1.25 1.5");
  const Json run = {{"samples", 4}, {"counts", {{"total", {{"steps", 40}}}}}};
  EXPECT_EQ(Per::of("step", run).count, 40);
  EXPECT_EQ(Per::of("sample", run).heading, "Of one sample, the mean of 4\n");
  EXPECT_EQ(Per::of("run", run).count, 1);
}

TEST(PartTables, Cores) {
  sim::Counts counts;
  counts.cores[7][Counter::HopsEw] = 1;
  counts.cores[9][Counter::SynopsDense] = 10;
  counts.chip[Counter::Barriers] = 2;
  const auto text = lines(formatByCore(
      counts, {CostTable::load("davies2018", Target::load("loihi1"))}));
  ASSERT_EQ(text.size(), 7u);
  EXPECT_EQ(text[2], "9 98.7 % 236.000 0 0 10 0");
  EXPECT_EQ(text[3], "7 1.3 % 3.000 0 0 0 0");
  EXPECT_EQ(text[4], "host 0.0 % 0.000 0 0 0 0");
  EXPECT_EQ(text[5], "chip: barriers and resets - - 0 0 0 0");
  EXPECT_EQ(text[6], "total 100.0 % 239.000");
}

} // namespace
} // namespace dendrolith::report
