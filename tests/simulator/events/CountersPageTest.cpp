// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of simulator/COUNTERS.md is what targets/loader/chip/Counters.def
// says. This writes it anew, after which `git diff` shows what has changed:
//
//   DENDROLITH_REWRITE=1 build/bin/dendrolith-simulator-tests
//   --gtest_filter='CountersPage.*'

#include "targets/loader/chip/Counters.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace dendrolith::test {
namespace {

const std::string kPage = DENDROLITH_SOURCE_DIR "/simulator/COUNTERS.md";
/// What stands above and with this line was written by hand.
const std::string kHeading = "## The table\n";

const char *wordOf(CountedAt place) {
  switch (place) {
  case CountedAt::Chip:
    return "chip";
  case CountedAt::Host:
    return "host";
  case CountedAt::Source:
    return "source core";
  case CountedAt::Sender:
    return "sender";
  case CountedAt::Destination:
    return "destination core";
  case CountedAt::Updating:
    return "updating core";
  }
  return "";
}

const char *wordOf(CounterNeeds needs) {
  switch (needs) {
  case CounterNeeds::Nothing:
    return "";
  case CounterNeeds::BinarySpikes:
    return "binary spikes";
  case CounterNeeds::GradedSpikes:
    return "graded spikes";
  case CounterNeeds::Joins:
    return "that join";
  case CounterNeeds::Programs:
    return "programs";
  case CounterNeeds::Boards:
    return "several chips";
  case CounterNeeds::CycleEngine:
    return "cycle engine";
  }
  return "";
}

std::string table() {
  std::string text = "\n| counter | counted at | unit | priced with | needs | "
                     "definition |\n| --- | --- | --- | --- | --- | --- |\n";
  for (size_t i = 0; i < kCounters; ++i) {
    const CounterRow &row = rowOf(static_cast<Counter>(i));
    text += std::string("| `") + row.name + "` | " + wordOf(row.place) + " | " +
            row.unit + " | " + (row.order ? toString(row.group) : "no event") +
            " | " + wordOf(row.needs) + " | " + row.definition + " |\n";
  }
  return text;
}

std::string page() {
  std::ifstream file(kPage);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(CountersPage, HoldsTheTable) {
  std::string text = page();
  size_t heading = text.find(kHeading);
  ASSERT_NE(heading, std::string::npos) << kPage;
  std::string expected = text.substr(0, heading + kHeading.size()) + table();
  if (std::getenv("DENDROLITH_REWRITE"))
    std::ofstream(kPage) << expected;
  EXPECT_EQ(page(), expected)
      << "write it anew with the command at the head of this test's source";
}

// A definition that breaks its row or says nothing is no definition.
TEST(CountersPage, EveryRowIsASentence) {
  for (size_t i = 0; i < kCounters; ++i) {
    const CounterRow &row = rowOf(static_cast<Counter>(i));
    const std::string definition = row.definition;
    SCOPED_TRACE(row.name);
    EXPECT_GT(definition.size(), 20u);
    EXPECT_EQ(definition.back(), '.');
    EXPECT_EQ(definition.find('|'), std::string::npos);
    EXPECT_NE(std::string(row.unit), "");
  }
}

} // namespace
} // namespace dendrolith::test
