// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/workers/RunWorkers.cpp,
// runtime/explore/workers/Worker.cpp and
// runtime/explore/workers/RunWorkers.cpp, with a meter that is fast.

#include "runtime/explore/workers/RunWorkers.h"

#include "runtime/explore/store/PointFiles.h"
#include "runtime/explore/store/VerifyStore.h"
#include "tests/runtime/explore/StudyFolder.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <map>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace dendrolith;
using namespace dendrolith::explore;
using namespace dendrolith::explore::test;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

namespace {

const char *const kStudy =
    "vary:\n"
    "  mesh.tiles_x: [1, 2, 3, 4, 5]\n"
    "  limits.compartments_per_core: {from: 1, to: 12, steps: 12}\n"
    "where: \"mesh.tiles_x != 3\"\n";

unsigned valueOf(const Design &design, size_t axis) {
  return unsigned(std::stoul(design.values[axis].second));
}

/// Measures nothing, but takes its time.
struct FakeMeter {
  unsigned milliseconds = 0;
  /// Called before a design is a point.
  std::function<void(const Design &)> before = [](const Design &) {};

  MakeMeter make() const {
    return [*this] {
      return Meter{[](const Design &design) {
                     return SharedStages{design.values[0].second,
                                         design.values[1].second};
                   },
                   [*this](const Design &design) {
                     std::this_thread::sleep_for(
                         std::chrono::milliseconds(milliseconds));
                     before(design);
                     Measured measured;
                     measured.point.design = design;
                     const double value =
                         valueOf(design, 0) * 100 + valueOf(design, 1);
                     measured.point.values["energy"] = {value, value + 1};
                     return measured;
                   }};
    };
  }
};

RunEnd run(const Store &store, const FakeMeter &meter,
           const RunOptions &options) {
  return runWorkers(store, allDesigns(store), meter.make(), options);
}

/// All files of points and what they hold.
std::map<std::string, std::string> filesOf(const Store &store) {
  std::map<std::string, std::string> files;
  std::vector<std::string> others;
  forEachPoint(
      store.folder(),
      [&](const std::string &key, const FileStamp &) {
        files[key] = readPoint(store.folder(), key);
      },
      &others);
  EXPECT_TRUE(others.empty());
  return files;
}

RunOptions jobs(unsigned count) {
  RunOptions options;
  options.jobs = count;
  return options;
}

const Point &pointOf(const std::vector<StoredPoint> &points, uint64_t number) {
  for (const StoredPoint &stored : points)
    if (stored.number == number)
      return stored.point;
  throw Error("no such point");
}

} // namespace

TEST(StandingWorkers, MeasureOneDesignAfterTheOther) {
  const StudyFolder folder(kStudy);
  const Store store = Store::of(folder.file(), folder.store());
  FakeMeter meter;
  const std::string pids = folder.store() + "/log/pids";
  meter.before = [&](const Design &design) {
    std::ofstream(pids, std::ios::app) << ::getpid() << "\n";
    if (valueOf(design, 1) == 3)
      std::raise(SIGABRT);
  };
  const DesignList list = {0, allDesigns(store).at};
  const RunOptions options = jobs(2);
  {
    StandingWorkers workers(store, list, meter.make(), options);
    for (uint64_t first : {0, 1, 2, 3})
      EXPECT_EQ(workers.measure(first, first + 1).measured, 1u);
    EXPECT_EQ(workers.measure(4, 8).measured, 4u);
  }
  std::ifstream file(pids);
  const std::vector<int> at{std::istream_iterator<int>(file), {}};
  ASSERT_EQ(at.size(), 8u);
  EXPECT_EQ(at[0], at[1]); // it stays
  EXPECT_EQ(at[1], at[2]); // which ends at its design
  EXPECT_NE(at[2], at[3]);
  EXPECT_EQ(filesOf(store).size(), 8u);
  EXPECT_EQ(pointOf(store.points(), 3).state, PointState::Failed);
}

TEST(RunWorkers, GivesTheSameFilesForAnyNumberOfThem) {
  const StudyFolder folder(kStudy);
  std::map<std::string, std::string> first;
  for (unsigned count : {1u, 2u, 4u}) {
    const Store store =
        Store::of(folder.file(), folder.store() + std::to_string(count));
    const RunEnd end = run(store, {}, jobs(count));
    EXPECT_EQ(end.designs, 48u);
    EXPECT_EQ(end.measured, 48u);
    EXPECT_EQ(end.left, 0u);
    const auto files = filesOf(store);
    EXPECT_EQ(files.size(), 48u);
    if (first.empty())
      first = files;
    EXPECT_EQ(files, first);
    EXPECT_TRUE(verify(store).problems.empty());
    EXPECT_EQ(store.points().size(), 60u);
    EXPECT_TRUE(pointOf(store.points(), 2).values.count("energy"));
    EXPECT_TRUE(store.points(true)[0].effort);
    EXPECT_EQ(run(store, {}, jobs(count)).measured, 0u);
  }
}

TEST(RunWorkers, TwoAtOnceShareTheWork) {
  const StudyFolder folder(kStudy);
  const Store store = Store::of(folder.file(), folder.store());
  const FakeMeter meter = {20};
  const pid_t child = ::fork();
  if (child == 0) {
    run(store, meter, jobs(1));
    ::_exit(0);
  }
  while (pointKeys(store.folder()).empty())
    std::this_thread::sleep_for(milliseconds(5));
  const RunEnd end = run(store, meter, jobs(1));
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(filesOf(store).size(), 48u);
  EXPECT_EQ(end.left, 0u);
  EXPECT_GT(end.measured, 0u);
  EXPECT_LT(end.measured, 48u);
}

TEST(RunWorkers, ACrashAndATimeoutAreRows) {
  const StudyFolder folder(std::string(kStudy) +
                           "budget: {point_seconds: 1}\n");
  const Store store = Store::of(folder.file(), folder.store());
  FakeMeter meter;
  meter.before = [](const Design &design) {
    const unsigned x = valueOf(design, 0), n = valueOf(design, 1);
    if (x == 1 && n == 2) {
      std::fputs("before\nthe last words\n\n", stderr);
      ::raise(SIGABRT); // which sanitizers leave alone
    }
    if (x == 2 && n == 3)
      std::this_thread::sleep_for(std::chrono::minutes(1));
    if (x == 4 && n == 4)
      ::raise(SIGKILL); // as a machine without memory does, each time
    if (x == 5 && n == 5)
      throw std::bad_alloc();
  };
  EXPECT_EQ(run(store, meter, jobs(2)).left, 0u);
  const auto points = store.points();
  ASSERT_EQ(points.size(), 60u);
  EXPECT_EQ(pointOf(points, 2).state, PointState::Failed);
  EXPECT_EQ(pointOf(points, 2).reason, "signal 6 (Aborted): the last words");
  EXPECT_EQ(pointOf(points, 15).state, PointState::Timeout);
  EXPECT_EQ(pointOf(points, 15).reason, "took more than 1 s");
  EXPECT_EQ(pointOf(points, 40).reason, "signal 9 (Killed)");
  EXPECT_EQ(pointOf(points, 53).reason, "out of memory");
  EXPECT_EQ(pointOf(points, 1).state, PointState::Done);
  // They stay what they are until somebody asks.
  EXPECT_EQ(run(store, {}, jobs(2)).measured, 0u);
  RunOptions again = jobs(1);
  again.again = {PointState::Failed};
  EXPECT_EQ(run(store, {}, again).measured, 3u);
  EXPECT_EQ(pointOf(store.points(), 2).state, PointState::Done);
  EXPECT_EQ(pointOf(store.points(), 15).state, PointState::Timeout);
}

TEST(RunWorkers, EndsWithAnErrorThatIsNoPoints) {
  const StudyFolder folder(kStudy);
  const Store store = Store::of(folder.file(), folder.store());
  FakeMeter meter;
  meter.before = [](const Design &design) {
    if (valueOf(design, 1) == 7)
      throw Error("m.npz: cannot be read");
  };
  EXPECT_EQ(errorOf([&] { run(store, meter, jobs(2)); }),
            "m.npz: cannot be read");
  EXPECT_EQ(run(store, {}, jobs(1)).left, 0u);
  meter.before = [](const Design &) {};
  const MakeMeter none = []() -> Meter { throw Error("no such model"); };
  const Store other = Store::of(folder.file(), folder.store() + "2");
  EXPECT_EQ(
      errorOf([&] { runWorkers(other, allDesigns(other), none, jobs(1)); }),
      "no such model");
}

TEST(RunWorkers, FinishesTheCurrentPointsAtASignal) {
  const StudyFolder folder(kStudy);
  const Store store = Store::of(folder.file(), folder.store());
  const pid_t child = ::fork();
  if (child == 0) {
    const RunEnd end = run(store, {100}, jobs(2));
    const bool good = end.stopped && end.left + end.measured == 48;
    ::_exit(good ? 0 : 1);
  }
  while (pointKeys(store.folder()).size() < 4)
    std::this_thread::sleep_for(milliseconds(10));
  ::kill(child, SIGTERM);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_LT(filesOf(store).size(), 48u);
  EXPECT_EQ(
      std::distance(
          std::filesystem::directory_iterator(store.folder() + "/claims"), {}),
      0);
  EXPECT_EQ(run(store, {}, jobs(2)).left, 0u);
}

TEST(RunWorkers, ASecondSignalEndsAtOnce) {
  const StudyFolder folder(kStudy);
  const Store store = Store::of(folder.file(), folder.store());
  const pid_t child = ::fork();
  if (child == 0) {
    FakeMeter meter;
    meter.before = [](const Design &) {
      std::this_thread::sleep_for(std::chrono::minutes(5));
    };
    RunOptions options = jobs(2);
    options.say = [&](const std::string &) { ::raise(SIGTERM); };
    run(store, meter, options);
    ::_exit(1);
  }
  std::this_thread::sleep_for(milliseconds(500));
  ::kill(child, SIGTERM);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(RunWorkers, StopsWhenItsTimeIsOver) {
  const StudyFolder folder(std::string(kStudy) + "budget: {seconds: 1}\n");
  const Store store = Store::of(folder.file(), folder.store());
  const RunEnd end = run(store, {100}, jobs(1));
  EXPECT_TRUE(end.outOfTime);
  EXPECT_EQ(end.left + end.measured, 48u);
  EXPECT_GT(end.left, 0u);
}

// Whatever it was doing when it was killed, the next one makes the store whole.
TEST(RunWorkers, LosesNothingButPointsInFlightWhenItIsKilled) {
  const StudyFolder folder(kStudy);
  const Store whole = Store::of(folder.file(), folder.store());
  run(whole, {}, jobs(1));
  const Store store = Store::of(folder.file(), folder.store() + "2");
  std::mt19937 random(3);
  for (int round = 0; round < 12; ++round) {
    const size_t before = pointKeys(store.folder()).size();
    const pid_t child = ::fork();
    if (child == 0) {
      run(store, {4}, jobs(2));
      ::_exit(0);
    }
    std::this_thread::sleep_for(milliseconds(random() % 40));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_GE(pointKeys(store.folder()).size(), before);
  }
  EXPECT_EQ(run(store, {}, jobs(2)).left, 0u);
  EXPECT_EQ(filesOf(store), filesOf(whole));
}

TEST(RunWorkers, SaysWhereADiskIsFull) {
  const StudyFolder folder(kStudy);
  const Store store = Store::of(folder.file(), folder.store());
  // A folder that is a file stands in for a disk that takes no more.
  std::filesystem::remove(store.folder() + "/points");
  write(store.folder() + "/points", "");
  EXPECT_THAT(errorOf([&] { run(store, {}, jobs(1)); }),
              HasSubstr(store.folder() + "/points"));
}
