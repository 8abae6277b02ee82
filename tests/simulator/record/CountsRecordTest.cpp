// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stored counts of real runs to text and back, and what each refusal says.

#include "simulator/record/CountsRecord.h"
#include "simulator/Run.h"
#include "simulator/record/Json.h"
#include "targets/support/Error.h"
#include "tests/simulator/RandomProgram.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

using nlohmann::json;

Counts someCounts() {
  test::RandomProgram random = test::randomProgram(7);
  return runFunctional(random.program, random.target, random.inputs, {}).counts;
}

std::string refusal(const json &value) {
  try {
    countsFromJson(value, "r.json: counts");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

std::string parseRefusal(const std::string &text) {
  try {
    parseJson(text, "r.json");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(CountsRecord, RoundTrip) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    test::RandomProgram random = test::randomProgram(seed);
    Counts counts =
        runFunctional(random.program, random.target, random.inputs, {}).counts;
    std::string text = toJson(counts).dump(2);
    Counts back = countsFromJson(parseJson(text, "r"), "r");
    EXPECT_TRUE(back == counts) << back.difference(counts);
    EXPECT_EQ(toJson(back).dump(2), text);
  }
}

TEST(CountsRecord, StallsAreATime) {
  Counts counts = someCounts();
  std::string without = toJson(counts).dump();
  counts.cores.begin()->second[Counter::Stalls] = 17;
  EXPECT_EQ(toJson(counts).dump(), without);
  // Schema 1 had them.
  json old = json::parse(without);
  uint32_t core = counts.cores.begin()->first;
  old["total"]["stalls"] = old["cores"][std::to_string(core)]["stalls"] = 17;
  EXPECT_EQ(countsFromJson(old, "r").cores.at(core)[Counter::Stalls], 17u);
}

TEST(CountsRecord, TotalsAlone) {
  const Counts counts = someCounts();
  json value = toJson(counts);
  value.erase("cores");
  value.erase("links");
  Counts back = totalsFromJson(value, "r");
  EXPECT_TRUE(back.total() == counts.total());
  EXPECT_TRUE(back.host == counts.host);
  value["host"]["messages"] = uint64_t(1) << 40;
  EXPECT_THROW(totalsFromJson(value, "r"), Error);
}

TEST(CountsRecord, StrictReader) {
  const json good = toJson(someCounts());
  ASSERT_EQ(refusal(good), "");
  auto bad = [&](const char *pointer, const json &value,
                 const std::string &expected) {
    json copy = good;
    copy[json::json_pointer(pointer)] = value;
    EXPECT_NE(refusal(copy).find(expected), std::string::npos)
        << pointer << ": " << refusal(copy);
  };
  bad("/total/messages", -1, "counts.total.messages: expected an integer");
  bad("/total/messages", 1.5, "counts.total.messages: expected an integer");
  bad("/total/messages", "7",
      "expected an integer from 0 to 2^63 - 1, found "
      "string");
  bad("/total/steps", uint64_t(1) << 63, "found 9223372036854775808");
  bad("/total/synops", 3, "counts.total.synops: expected an object");
  bad("/total/colour", 3, "'colour' is not a counter");
  bad("/total/synops/wet", 3, "'synops.wet' is not a counter");
  bad("/host/steps", 3, "'steps' is not a counter here");
  bad("/host/messages", 123456, "total.messages: expected the sum");
  bad("/cores/07", good["host"], "core ids as keys, found '07'");
  bad("/cores/99999999999", good["host"], "core ids");
  bad("/cores", 1, "counts.cores: expected an object");
  bad("/links", 1, "counts.links: expected an array");
  bad("/links/-", 1, "expected an object of from, to and flits");
  bad("/extra", 1, "unknown member 'extra'");
  for (const char *part : {"total", "host", "cores", "links"}) {
    json copy = good;
    copy.erase(part);
    EXPECT_NE(refusal(copy).find(part), std::string::npos) << part;
  }
  json copy = good;
  copy["host"]["synops"].erase("dense");
  EXPECT_NE(refusal(copy).find("expected a member 'dense'"), std::string::npos);
  EXPECT_NE(refusal(json::array()).find("expected an object, found array"),
            std::string::npos);
}

TEST(CountsRecord, SumsThatOverflowAreNotEqual) {
  json value = toJson(someCounts());
  const uint64_t half = uint64_t(1) << 62;
  value["total"]["axon_reads"] = 0;
  value["host"]["axon_reads"] = half;
  auto host = value["host"];
  value["cores"] = json::object();
  for (const char *id : {"1", "2", "3"}) // 4 * 2^62 = 2^64
    value["cores"][id] = host;
  EXPECT_NE(refusal(value).find("expected the sum"), std::string::npos);
}

TEST(Json, HostileText) {
  EXPECT_EQ(parseRefusal("{\"a\": [1, {}]}"), "");
  EXPECT_NE(parseRefusal("{\n \"a\": }").find("r.json:2:7: expected JSON"),
            std::string::npos)
      << parseRefusal("{\n \"a\": }");
  EXPECT_NE(parseRefusal("").find("r.json:1:1"), std::string::npos)
      << parseRefusal("");
  EXPECT_NE(parseRefusal("{\"a\": 1").find("r.json:1:"), std::string::npos);
  EXPECT_NE(parseRefusal("{\"a\": 1, \"a\": 2}").find("'a' occurs twice"),
            std::string::npos);
  EXPECT_NE(parseRefusal(std::string(100000, '[')).find("levels of nesting"),
            std::string::npos);
  EXPECT_NE(parseRefusal("[1e999]").find("numbers in range"),
            std::string::npos);
  EXPECT_NE(parseRefusal("\"\xff\"").find("r.json:1:"), std::string::npos);
  EXPECT_NE(parseRefusal("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 1}")
                .find("'?[31m' occurs twice"),
            std::string::npos);
}

} // namespace
} // namespace dendrolith::sim
