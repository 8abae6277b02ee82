// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/EventArrays.h"

#include "runtime/host/Files.h"
#include "tests/runtime/TestSupport.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

const ScratchDirectory eventsFolder;

std::string writtenEvents(std::string_view bytes) {
  const std::string path = eventsFolder.file("events.npz");
  writeAside(path, bytes);
  return path;
}

using Columns = std::map<std::string, std::vector<int64_t>>;

std::map<std::string, Array> arrays(const Columns &columns) {
  std::map<std::string, Array> all;
  for (const auto &[name, values] : columns)
    all[name] = Array::ofInts({values.size()}, values);
  if (all.count("steps"))
    all["steps"].shape = {};
  return all;
}

Samples dense(const Columns &columns, const std::vector<uint64_t> &shape) {
  const std::string file = writtenEvents(formatNpz(arrays(columns)));
  return EventArrays(file).toSamples(shape);
}

std::string eventsRefusal(const Columns &columns,
                          const std::vector<uint64_t> &shape) {
  std::string text = errorOf([&] { dense(columns, shape); });
  return text.substr(text.find("events.npz") + 12);
}

} // namespace

TEST(EventArrays, PlacesByChannelAndByCoordinate) {
  Samples flat = dense({{"t", {0, 2, 2}}, {"ch", {1, 0, 5}}}, {2, 3});
  EXPECT_EQ(flat.samples, 1u);
  EXPECT_EQ(flat.steps, 3u);
  EXPECT_EQ(flat.at(0, 0, 1), 1);
  EXPECT_EQ(flat.at(0, 2, 0), 1);
  EXPECT_EQ(flat.at(0, 2, 5), 1);
  EXPECT_EQ(flat.at(0, 1, 0), 0);
  EXPECT_EQ(
      dense({{"t", {0, 2, 2}}, {"y", {0, 0, 1}}, {"x", {1, 0, 2}}}, {2, 3})
          .values,
      flat.values);
  Samples cube =
      dense({{"t", {0}}, {"p", {1}}, {"y", {0}}, {"x", {2}}}, {2, 2, 3});
  EXPECT_EQ(cube.at(0, 0, 8), 1);
}

TEST(EventArrays, SamplesByNumberOrByBegin) {
  Samples byNumber =
      dense({{"t", {0, 1, 0}}, {"x", {0, 1, 1}}, {"sample", {0, 0, 1}}}, {2});
  Samples byBegin =
      dense({{"t", {0, 1, 0}}, {"x", {0, 1, 1}}, {"begin", {0, 2, 3}}}, {2});
  EXPECT_EQ(byNumber.samples, 2u);
  EXPECT_EQ(byNumber.values, byBegin.values);
  EXPECT_EQ(byNumber.at(1, 0, 1), 1);
}

TEST(EventArrays, EventsAddUpAndStepsMayFollow) {
  Samples samples = dense({{"t", {1, 1}}, {"x", {0, 0}}, {"steps", {4}}}, {2});
  EXPECT_EQ(samples.steps, 4u);
  EXPECT_EQ(samples.at(0, 1, 0), 2);
}

TEST(EventArrays, NamesArrayEventAndRange) {
  EXPECT_EQ(eventsRefusal({{"t", {0, 1}}, {"x", {0, 2}}}, {2}),
            "'x': expected 0 to 1, found 2 as event 1");
  EXPECT_EQ(eventsRefusal({{"t", {0, -1}}, {"x", {0, 1}}}, {2}).substr(0, 17),
            "'t': expected 0 t");
  EXPECT_EQ(eventsRefusal({{"t", {0}}, {"x", {0}}}, {2, 2}),
            "expected the arrays y, x for steps of shape (2, 2), found no 'y'");
  EXPECT_EQ(eventsRefusal({{"t", {0}}, {"x", {0}}, {"p", {0}}}, {2}),
            "expected the arrays x for steps of shape (2,), found also 'p'");
  EXPECT_EQ(eventsRefusal({{"t", {0, 1}}, {"x", {0}}}, {2}),
            "'x': expected one number for each of 2 events, found shape (1,)");
  EXPECT_EQ(eventsRefusal({{"t", {3}}, {"x", {0}}, {"steps", {3}}}, {2}),
            "'steps': expected at least 4, the step of the last event + 1, "
            "found 3");
  EXPECT_EQ(eventsRefusal({{"t", {0}}, {"x", {0}}, {"begin", {0, 2}}}, {2}),
            "'begin': expected rising numbers from 0 to 1, the number of "
            "events, found others");
  EXPECT_EQ(
      eventsRefusal({{"t", {0}}, {"x", {0}}, {"dt", {1}}}, {2}).substr(0, 40),
      "'dt': no array of events has that name; ");
  EXPECT_EQ(eventsRefusal({{"a", {0}}}, {2}).substr(0, 16), "expected events ");
  Columns many{{"t", std::vector<int64_t>(256, 0)},
               {"x", std::vector<int64_t>(256, 1)}};
  EXPECT_EQ(eventsRefusal(many, {2}),
            "expected at most 255 events of one place and "
            "step, found more (event 255)");
}

TEST(EventArrays, RefusesTimesThatAreNoSteps) {
  std::map<std::string, Array> all = arrays({{"x", {0}}});
  all["t"] = Array::ofReals({1}, {0.001});
  const std::string file = writtenEvents(formatNpz(all));
  EXPECT_NE(errorOf([&] {
              EventArrays events(file);
            }).find("divide times by the length of a step"),
            std::string::npos);
}

TEST(EventArrays, RefusesMoreThanIsRead) {
  EXPECT_NE(eventsRefusal({{"t", {1 << 28}}, {"x", {0}}}, {1000})
                .find("expected at most 536870912 values in all"),
            std::string::npos);
}
