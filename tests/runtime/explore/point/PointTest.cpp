// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/point/Point.h"

#include "targets/support/Error.h"

#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::explore;

namespace {

Point somePoint() {
  Point point;
  point.design = {"sparse", "loihi2", {{"microcode.lanes", "4"}}, 1};
  point.state = PointState::Unfit;
  point.reason = "L0 needs more";
  point.shortage = Shortage{"core_memory_bytes", 20000, 16384};
  point.values = {{"energy", {1.5, 4}}, {"latency.mean", {3, 3}}};
  point.latencyPs = {3000000};
  point.right = {true, false};
  point.sampleEnergy = {{1.5, 4}};
  point.energyByEvent = {{"spikes", {0.5, 1}}, {"barriers", {1, 3}}};
  point.energyByLayer = {{"L0", {1.5, 4}}};
  point.areaByPart = {{"memory", {2, 3}}};
  point.closedBy = {{"core 3 receive", 12}};
  point.fit = {{"in_axons", 3, 4096}};
  return point;
}

} // namespace

TEST(Point, IsTheSameAfterItsJson) {
  const auto json = toJson(somePoint());
  const Point read = pointFrom(json, "p.json");
  EXPECT_EQ(toJson(read).dump(), json.dump());
  EXPECT_EQ(read.state, PointState::Unfit);
  EXPECT_EQ(read.energyByEvent[0].first, "spikes"); // order is kept
}

TEST(Point, IsTheSameAfterItsBytes) {
  const std::string bytes = packed(somePoint());
  EXPECT_EQ(toJson(unpacked(bytes)).dump(), toJson(somePoint()).dump());
  EXPECT_EQ(toJson(unpacked(packed(Point()))).dump(), toJson(Point()).dump());
  for (size_t size : {size_t(0), bytes.size() / 2, bytes.size() - 1})
    EXPECT_THROW(unpacked(bytes.substr(0, size)), Error) << size;
  EXPECT_THROW(unpacked(bytes + "x"), Error);
}

TEST(Point, HasValuesAndTheirEnds) {
  const Point point = somePoint();
  EXPECT_EQ(valueOf(point, "energy"), (Band{1.5, 4}));
  EXPECT_EQ(valueOf(point, "energy.high"), (Band{4, 4}));
  EXPECT_EQ(valueOf(point, "energy.low"), (Band{1.5, 1.5}));
  EXPECT_EQ(valueOf(point, "latency.mean"), (Band{3, 3}));
  EXPECT_FALSE(valueOf(point, "area"));
}

TEST(Point, OfAnotherVersionIsRefused) {
  auto json = toJson(somePoint());
  json["version"] = 99;
  EXPECT_THROW(pointFrom(json, "p.json"), Error);
  json = toJson(somePoint());
  json["state"] = "lost";
  EXPECT_THROW(pointFrom(json, "p.json"), Error);
  json.erase("samples");
  EXPECT_THROW(pointFrom(json, "p.json"), Error);
}

TEST(Point, NumbersThatAreNotWholeAreRefused) {
  for (const char *number : {"1e308", "-1", "1.5", "-1e30", "true"}) {
    const auto value = nlohmann::ordered_json::parse(number);
    auto json = toJson(somePoint());
    json["design"]["repeat"] = value;
    EXPECT_THROW(pointFrom(json, "p.json"), Error) << number;
    json = toJson(somePoint());
    json["samples"]["latency_ps"][0] = value;
    EXPECT_THROW(pointFrom(json, "p.json"), Error) << number;
    json = toJson(somePoint());
    json["closed_by"][0][1] = value;
    EXPECT_THROW(pointFrom(json, "p.json"), Error) << number;
  }
}
