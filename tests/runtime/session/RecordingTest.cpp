// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Recording.h"

#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::session {
namespace {

using Names = std::vector<std::pair<std::string, std::string>>;

Names namesOf(const std::string &text) {
  Names names;
  for (const sim::TraceRequest &request : parseTraces(text))
    names.emplace_back(request.population, request.state);
  return names;
}

TEST(Recording, TracesAreNodesAndStates) {
  EXPECT_EQ(namesOf(""), Names());
  EXPECT_EQ(namesOf("a,b:v"), (Names{{"a", ""}, {"b", "v"}}));
  EXPECT_EQ(namesOf("a:b:v"), (Names{{"a:b", "v"}})); // the last colon counts
}

TEST(Recording, NamesHoldCommasAndColonsByEscapes) {
  EXPECT_EQ(namesOf(R"(a\,b,c\:d)"), (Names{{"a,b", ""}, {"c:d", ""}}));
  EXPECT_EQ(namesOf(R"(a\,b\:c:v)"), (Names{{"a,b:c", "v"}}));
  EXPECT_EQ(namesOf(R"(a\\,b\x)"), (Names{{R"(a\)", ""}, {R"(b\x)", ""}}));
}

TEST(Recording, EmptyNamesAreRefused) {
  for (const char *text : {"a:", ":v", ",a", "a,", "a,,b", "a,b:"})
    EXPECT_THROW(parseTraces(text), Error) << text;
}

TEST(Recording, OneNameForTwoTracesIsRefused) {
  EXPECT_THROW(parseTraces(R"(a\:b,a:b)"), Error);
  EXPECT_EQ(namesOf("a:b,a:b").size(), 2u);
}

} // namespace
} // namespace dendrolith::session
