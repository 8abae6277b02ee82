// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/store/PointFiles.cpp,
// runtime/explore/store/PointIndex.cpp and runtime/explore/store/EffortLog.cpp.

#include "runtime/explore/store/PointFiles.h"

#include "runtime/explore/store/EffortLog.h"
#include "runtime/explore/store/PointIndex.h"
#include "targets/support/Sha256.h"
#include "tests/runtime/explore/StudyFolder.h"

#include <gmock/gmock.h>

using namespace dendrolith;
using namespace dendrolith::explore;
using namespace dendrolith::explore::test;
using ::testing::HasSubstr;

namespace {

Point point(const std::string &value) {
  Point point;
  point.design = {"m", "tiny", {{"a", value}}, 0};
  point.values["energy"] = {1, 2.5};
  return point;
}

std::string key(int number) { return sha256(std::to_string(number)); }

} // namespace

TEST(PointFiles, AppearAtOnceOrTogether) {
  const ScratchDirectory scratch;
  const std::string store = scratch.directory.string();
  PointWriter writer(store);
  writer.add(key(0), point("0")); // waits for nobody
  EXPECT_EQ(pointKeys(store).size(), 1u);
  for (int i = 1; i < 300; ++i)
    writer.add(key(i), point(std::to_string(i)));
  writer.flush();
  EXPECT_EQ(pointKeys(store).size(), 300u);
  EXPECT_EQ(pointOf(readPoint(store, key(7)), "p").design.values[0].second,
            "7");
}

TEST(PointFiles, ThatWereNotFlushedAreNotThere) {
  const ScratchDirectory scratch;
  const std::string store = scratch.directory.string();
  std::vector<std::string> others;
  {
    PointWriter writer(store);
    for (int i = 0; i < 3; ++i)
      writer.add(key(i), point("0"));
  }
  forEachPoint(store, [](const std::string &, const FileStamp &) {}, &others);
  EXPECT_TRUE(others.empty());
}

TEST(PointFiles, OfTheDeadAreRemoved) {
  const ScratchDirectory scratch;
  const std::string store = scratch.directory.string();
  PointWriter(store).add(key(0), point("0"));
  const std::string folder =
      std::filesystem::path(pointPath(store, key(0))).parent_path();
  const std::string begin = folder + "/.x.json.";
  write(begin + hostName() + ".999999999.0.part", "{");
  write(begin + hostName() + "." + std::to_string(::getpid()) + ".0.part", "{");
  write(begin + "elsewhere.999999999.0.part", "{");
  removeHalfWritten(store);
  std::vector<std::string> others;
  forEachPoint(store, [](const std::string &, const FileStamp &) {}, &others);
  EXPECT_EQ(others.size(), 2u);
}

TEST(PointFiles, ThatAreCorruptAreRefused) {
  const std::string text = textOf(point("1"));
  EXPECT_EQ(textOf(pointOf(text, "p.json")), text);
  for (const size_t at : {size_t(3), text.size() / 2, text.size() - 10}) {
    std::string changed = text;
    changed[at] ^= 1;
    EXPECT_THAT(errorOf([&] { pointOf(changed, "p.json"); }),
                HasSubstr("p.json: is corrupt"));
  }
  EXPECT_THAT(errorOf([&] { pointOf(text.substr(0, 90), "p.json"); }),
              HasSubstr("p.json: is corrupt"));
}

namespace {

/// What views see, and in how many files copies are.
std::map<std::string, std::string> seen(const std::string &store) {
  const PackedPoints packed = packedPoints(store);
  std::map<std::string, std::string> copies;
  for (const auto &[key, entry] : packed.points)
    copies[key] = entry.copy.value();
  return copies;
}

std::string onlyIndex(const std::string &store) {
  std::filesystem::directory_iterator first(indexPath(store)), end;
  const std::string path = first->path().string();
  EXPECT_TRUE(++first == end);
  return path;
}

} // namespace

TEST(PointIndex, HoldsWhatFilesHold) {
  const ScratchDirectory scratch;
  const std::string store = scratch.directory.string();
  PointWriter writer(store);
  writer.add(key(0), point("0"));
  EXPECT_EQ(seen(store).size(), 1u);
  // A file that went and one that came, of the same key.
  std::filesystem::remove(pointPath(store, key(0)));
  writer.add(key(0), point("other"));
  writer.add(key(1), point("1"));
  writer.flush();
  const auto points = seen(store);
  EXPECT_EQ(points.size(), 2u);
  EXPECT_EQ(textOf(unpacked(points.at(key(0)))), textOf(point("other")));
  // Cut short, damaged and deleted, it is made anew.
  const std::string path = onlyIndex(store), index = readFile(path, 1 << 20);
  for (const std::string &text :
       {index.substr(0, index.size() - 1), std::string(200, 'x')}) {
    write(path, text);
    EXPECT_EQ(seen(store), points);
    EXPECT_EQ(seen(store), points);
  }
  std::filesystem::remove_all(indexPath(store));
  EXPECT_EQ(seen(store), points);
  // A file without a point has none in it, and hides no other one.
  write(pointPath(store, key(1)), "no point");
  EXPECT_EQ(seen(store).at(key(1)), "");
  EXPECT_EQ(seen(store).at(key(0)), points.at(key(0)));
}

TEST(PointIndex, IsWrittenWithThePoints) {
  const ScratchDirectory scratch;
  const std::string store = scratch.directory.string();
  PointWriter writer(store);
  writer.add(key(0), point("a value of an axis"));
  writer.flush();
  const std::string path = onlyIndex(store), index = readFile(path, 1 << 20);
  const auto points = seen(store);
  EXPECT_EQ(readFile(path, 1 << 20), index); // nothing was missing
  // A copy that the disk changed is none.
  std::string changed = index;
  const size_t at = changed.find("a value of an axis");
  ASSERT_NE(at, changed.npos);
  changed[at] = 'A';
  write(path, changed);
  EXPECT_EQ(seen(store), points);
  EXPECT_EQ(readFile(onlyIndex(store), 1 << 20), index);
}

TEST(EffortLog, SkipsLinesCutShort) {
  const ScratchDirectory scratch;
  const std::string store = scratch.directory.string();
  {
    EffortLog log(store);
    log.add("a", {1.5, 1000, {{"map", true, 0.25}}});
    log.add("b", {2, 1, {}});
  }
  write(store + "/effort/other.1.jsonl", "{\"key\": \"c\", \"wall_s\": 1");
  const auto efforts = readEfforts(store);
  ASSERT_EQ(efforts.size(), 2u);
  EXPECT_EQ(efforts.at("a").stages[0].name, "map");
  EXPECT_TRUE(efforts.at("a").stages[0].reused);
}
