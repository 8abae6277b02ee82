// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/store/Store.cpp, runtime/explore/store/Identity.cpp and
// runtime/explore/store/VerifyStore.cpp.

#include "runtime/explore/store/Store.h"

#include "runtime/explore/store/PointFiles.h"
#include "runtime/explore/store/PointIndex.h"
#include "runtime/explore/store/VerifyStore.h"
#include "tests/runtime/explore/StudyFolder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

using namespace dendrolith;
using namespace dendrolith::explore;
using namespace dendrolith::explore::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

const char *const kStoredStudy = "vary: {mesh.tiles_x: [1, 2, 4]}\n"
                                 "where: \"mesh.tiles_x != 2\"\n";

/// The point of a design, as a measurement gives it.
Point measured(const Store &store, uint64_t index) {
  Point point;
  point.design = store.designs().at(index);
  point.values["area"] = {1, 2};
  return point;
}

void add(const Store &store, uint64_t index) {
  PointWriter writer(store.folder());
  const Point point = measured(store, index);
  writer.add(store.keyOf(point.design), point);
  writer.flush();
}

std::string ofError(const StudyFolder &folder) {
  return errorOf([&] { Store::of(folder.file(), folder.store()); });
}

} // namespace

TEST(Store, HasPointsByTheirNumbers) {
  const StudyFolder folder(kStoredStudy);
  const Store store = Store::of(folder.file(), folder.store());
  EXPECT_EQ(store.points().size(), 1u); // the excluded one needs no measurement
  add(store, 2);
  const auto points = Store(folder.store()).points();
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].number, 2u);
  EXPECT_EQ(points[0].point.state, PointState::Excluded);
  EXPECT_EQ(points[0].point.reason, "where: mesh.tiles_x != 2");
  EXPECT_EQ(points[1].number, 3u);
  EXPECT_EQ(points[1].point.state, PointState::Done);
  EXPECT_EQ(Store::again(folder.store()).points().size(), 2u);
}

TEST(Store, TakesAnotherViewOfTheSameStudy) {
  const StudyFolder folder(kStoredStudy);
  Store::of(folder.file(), folder.store());
  folder.set(std::string("# a comment\n") + kStoredStudy +
             "objectives: {area: min}\nbudget: {seconds: 4}\n");
  Store::of(folder.file(), folder.store());
  EXPECT_EQ(Store(folder.store()).study().objectives.size(), 1u);
}

TEST(Store, RefusesAnotherStudy) {
  const StudyFolder folder(kStoredStudy);
  Store::of(folder.file(), folder.store());
  folder.set("vary: {mesh.tiles_x: [1, 2, 8]}\nwhere: \"mesh.tiles_x != 2\"\n");
  EXPECT_THAT(ofError(folder),
              HasSubstr("holds the points of another study than " +
                        folder.file() +
                        ": designs.vary.mesh.tiles_x is [\"1\",\"2\",\"4\"], "
                        "not [\"1\",\"2\",\"8\"]"));
  folder.set(std::string(kStoredStudy) + "engine: functional\n");
  EXPECT_THAT(ofError(folder),
              HasSubstr("points.engine is \"cycle\", not \"functional\""));
}

TEST(Store, GrowsWithMoreValuesOnAnAxis) {
  const StudyFolder folder("vary: {mesh.tiles_x: [1, 4]}\n");
  const Store store = Store::of(folder.file(), folder.store());
  add(store, 1);
  folder.set("vary: {mesh.tiles_x: [1, 2, 4]}\nrepeat: 2\n");
  const auto points = Store::of(folder.file(), folder.store()).points();
  ASSERT_EQ(points.size(), 1u); // the one that was there, by its new number
  EXPECT_EQ(points[0].point.design.values[0].second, "4");
  EXPECT_EQ(Store::again(folder.store()).designs().size(), 6u);
  // Not back, nor with other axes.
  folder.set("vary: {mesh.tiles_x: [1, 4]}\nrepeat: 2\n");
  EXPECT_THAT(ofError(folder), HasSubstr("only get more values"));
  folder.set("vary: {mesh.tiles_x: [1, 2, 4], mesh.tiles_y: [1]}\nrepeat: 2\n");
  EXPECT_THAT(ofError(folder), HasSubstr("only get more values"));
}

TEST(Store, RefusesFilesThatChanged) {
  const StudyFolder folder(kStoredStudy);
  Store::of(folder.file(), folder.store());
  write(folder.scratch.file("m.npz"), "another model");
  EXPECT_THAT(ofError(folder), HasSubstr("points.models.m.model is"));
  EXPECT_THAT(errorOf([&] { Store::again(folder.store()); }),
              HasSubstr("has changed since its first points"));
}

TEST(Store, RefusesResultsOfAnotherVersion) {
  const StudyFolder folder(kStoredStudy);
  Store::of(folder.file(), folder.store());
  const std::string about = folder.store() + "/identity.json";
  std::ifstream file(about);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const size_t at = text.find("\"dendrolith\": \"");
  text.replace(at, 15, "\"dendrolith\": \"0.0.0-");
  write(about, text);
  for (const std::string &error :
       {ofError(folder), errorOf([&] { Store all(folder.store()); })})
    EXPECT_THAT(error, HasSubstr("holds results of dendrolith \"0.0.0-"));
  write(about, "{");
  EXPECT_THAT(ofError(folder), HasSubstr("is corrupt"));
}

TEST(Store, RefusesFoldersOfOthers) {
  const StudyFolder folder(kStoredStudy);
  std::filesystem::create_directory(folder.store());
  write(folder.store() + "/letter.txt", "dear");
  EXPECT_THAT(ofError(folder), HasSubstr("is no store of a study"));
  EXPECT_THAT(errorOf([&] { Store all(folder.store()); }),
              HasSubstr("is no store of a study"));
}

TEST(Store, KeepsTheFileOfItsDesigns) {
  const StudyFolder folder("strategy: {file: p.csv}\n");
  const std::string list = folder.scratch.file("p.csv");
  write(list, "mesh.tiles_x\n1\n2\n");
  add(Store::of(folder.file(), folder.store()), 1);
  write(list, "mesh.tiles_x\n1\n4\n");
  EXPECT_THAT(ofError(folder), HasSubstr("another study"));
  EXPECT_EQ(Store(folder.store()).points()[0].number, 2u);
}

TEST(VerifyStore, NamesWhatIsWrong) {
  const StudyFolder folder(kStoredStudy);
  const Store store = Store::of(folder.file(), folder.store());
  add(store, 0);
  add(store, 2);
  EXPECT_EQ(verify(store).points, 2u);
  EXPECT_TRUE(verify(store).problems.empty());

  // A point cut short, a point of somebody else, a file half-written, another.
  const std::string good =
      pointPath(store.folder(), store.keyOf(store.designs().at(0)));
  std::filesystem::resize_file(good, 200);
  Point foreign = measured(store, 2);
  foreign.design.values[0].second = "8";
  PointWriter writer(store.folder());
  writer.add(std::string(64, 'a'), foreign);
  writer.flush();
  const std::string aa = store.folder() + "/points/aa/";
  write(aa + ".b.json.host.1.0.part", "{");
  write(aa + "notes.txt", "");
  const Verified found = verify(store);
  EXPECT_EQ(found.points, 1u);
  EXPECT_THAT(found.problems,
              testing::UnorderedElementsAre(
                  HasSubstr(good + ": is corrupt"),
                  HasSubstr(std::string(62, 'a') +
                            ".json: is a point of another study"),
                  HasSubstr(".part: is half-written"),
                  HasSubstr("notes.txt: is no file of a point")));
  EXPECT_THAT(errorOf([&] { store.points(); }), HasSubstr("is corrupt"));
}

// A name is no proof: a point copied onto another one's is that of neither.
TEST(Store, APointIsOfTheDesignInIt) {
  const StudyFolder folder(kStoredStudy);
  const Store store = Store::of(folder.file(), folder.store());
  add(store, 0);
  add(store, 2);
  const auto pathAt = [&](uint64_t number) {
    return pointPath(store.folder(), store.keyOf(store.designs().at(number)));
  };
  EXPECT_EQ(store.points().size(), 3u); // with the one that 'where' excludes
  write(pathAt(2), readFile(pathAt(0), 1 << 20));
  EXPECT_THAT(errorOf([&] { store.points(); }),
              HasSubstr(pathAt(2) + ": holds the point of another design"));
}

TEST(VerifyStore, CountsWhatItDoesNotFind) {
  const StudyFolder folder(kStoredStudy);
  const Store store = Store::of(folder.file(), folder.store());
  add(store, 0);
  add(store, 2);
  const uint64_t missing = verify(store).missing;
  const std::string path =
      pointPath(store.folder(), store.keyOf(store.designs().at(2)));
  std::filesystem::remove(path);
  EXPECT_EQ(verify(store).missing, missing + 1);
  // A link to nothing, or to itself, is no point, and is measured again.
  for (const std::string &to : {std::string("/nowhere"), path}) {
    std::filesystem::create_symlink(to, path);
    EXPECT_EQ(pointKeys(store.folder()).size(), 1u);
    EXPECT_EQ(verify(store).missing, missing + 1);
    EXPECT_THAT(verify(store).problems,
                ElementsAre(HasSubstr("is no file of a point")));
    add(store, 2);
    EXPECT_EQ(verify(store).points, 2u);
    EXPECT_EQ(verify(store).missing, missing);
    std::filesystem::remove(path);
  }
}

// Whoever was killed while it began a store has left nothing that is in the way
// of the same study; a file of somebody else is.
TEST(Store, GoesOnWithABeginThatWasKilled) {
  const StudyFolder folder(kStoredStudy);
  const std::string text = readFile(folder.file(), 1 << 20);
  std::filesystem::create_directory(folder.store());
  write(folder.store() + "/spec.yaml", text + "# another\n");
  EXPECT_THAT(ofError(folder), HasSubstr("not empty"));
  write(folder.store() + "/spec.yaml", text);
  const std::string half =
      folder.store() + "/.identity.json." + hostName() + ".999999999.0.part";
  write(half, "{");
  Store::of(folder.file(), folder.store());
  EXPECT_FALSE(std::filesystem::exists(half));
}

TEST(Store, SeveralMayBeginAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const StudyFolder folder(kStoredStudy);
    std::vector<std::thread> all;
    std::atomic<int> begun{0};
    for (int i = 0; i < 4; ++i)
      all.emplace_back([&] {
        try {
          Store::of(folder.file(), folder.store());
          ++begun;
        } catch (const Error &error) {
          ADD_FAILURE() << error.what();
        }
      });
    for (std::thread &each : all)
      each.join();
    EXPECT_EQ(begun, 4);
  }
}

TEST(VerifyStore, NamesAnIndexThatLies) {
  const StudyFolder folder(kStoredStudy);
  const Store store = Store::of(folder.file(), folder.store());
  add(store, 0);
  store.points();
  const std::string path =
      pointPath(store.folder(), store.keyOf(store.designs().at(0)));
  // The file changes behind the index's back: same size, same time.
  const auto time = std::filesystem::last_write_time(path);
  Point other = measured(store, 0);
  other.values["area"] = {1, 3};
  write(path, textOf(other));
  std::filesystem::last_write_time(path, time);
  EXPECT_THAT(verify(store).problems,
              ElementsAre(HasSubstr("index: holds another point")));
  std::filesystem::remove_all(indexPath(store.folder()));
  EXPECT_TRUE(verify(store).problems.empty());
}
