// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/record/CountsRecord.cpp, simulator/record/Json.cpp.
// Counts as JSON: back to the same counts, and hostile files refused by place.

#include "simulator/record/CountsRecord.h"
#include "simulator/record/Json.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

Counts fewCounts() {
  Counts counts;
  counts.chip[Counter::Steps] = 7;
  counts.tiles = 2;
  counts.host[Counter::Inputs] = 3;
  counts.cores[0][Counter::SynopsDense] = 11;
  counts.cores[5][Counter::SpikesBinary] = 1;
  counts.links = {{0, 1, 9}};
  return counts;
}

std::string recordRefusal(nlohmann::json value) {
  try {
    countsFromJson(value, "counts");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

nlohmann::json asJson() {
  return nlohmann::json::parse(toJson(fewCounts()).dump());
}

TEST(Record, CountsComeBack) {
  EXPECT_EQ(countsFromJson(asJson(), "counts").difference(fewCounts()), "");
  EXPECT_EQ(toJson(countsFromJson(asJson(), "counts")).dump(),
            toJson(fewCounts()).dump());
}

TEST(Record, NamesAreThoseOfTheCounters) {
  nlohmann::json json = asJson();
  EXPECT_EQ(json["total"]["synops"]["dense"], 11);
  EXPECT_EQ(json["cores"]["5"]["spikes"]["binary"], 1);
  EXPECT_EQ(json["total"]["steps"], 7);
}

TEST(Record, HostileCountsAreRefusedByPlace) {
  struct {
    const char *pointer;
    nlohmann::json value;
  } cases[] = {
      {"/total/synops/dense", -1},
      {"/total/synops/dense", 1.5},
      {"/total/synops/dense", "11"},
      {"/total/synops/dense", 12},
      {"/total/synops", 3},
      {"/host", nullptr},
      {"/cores/0/synops/dense", 1e30},
      {"/cores", nlohmann::json::array()},
      {"/cores/0/surprise", 1},
      {"/total/steps", uint64_t(1) << 63},
      {"/links/0/flits", -9},
      {"/links", 4},
  };
  for (const auto &c : cases) {
    nlohmann::json json = asJson();
    json[nlohmann::json::json_pointer(c.pointer)] = c.value;
    EXPECT_EQ(recordRefusal(json).rfind("counts", 0), 0u) << c.pointer;
  }
  nlohmann::json json = asJson();
  json["cores"]["0"].erase("messages");
  EXPECT_NE(recordRefusal(json).find("messages"), std::string::npos);
}

TEST(Record, JsonErrorsHaveAPlace) {
  for (const char *text : {"", "{", "[1,]", "{\"a\": 1, \"a\": 2}", "nul"}) {
    try {
      parseJson(text, "result.json");
      ADD_FAILURE() << text;
    } catch (const Error &error) {
      EXPECT_EQ(std::string(error.what()).rfind("result.json", 0), 0u);
    }
  }
  EXPECT_THROW(parseJson(std::string(100000, '['), "x"), Error);
}

} // namespace
} // namespace dendrolith::sim
