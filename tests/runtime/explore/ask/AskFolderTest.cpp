// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/ask/AskFolder.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace dendrolith;
using namespace dendrolith::explore;

namespace {

class AskFolder : public ::testing::Test {
protected:
  void SetUp() override {
    const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             ("dendrolith_ask_" + std::to_string(::getpid()) + test->name());
    std::filesystem::remove_all(folder);
    study.name = "asked";
    study.models.resize(1);
    study.models[0].name = "net";
    study.targets = {"loihi2"};
    study.axes = {{"microcode.lanes", {"1", "4"}, ""},
                  {"compile.map-for", {"time", "energy"}, ""}};
    study.objectives = {{"energy", false}};
    study.strategy = {Strategy::Method::Ask, 0, folder.string(), {}};
    openAskFolder(study);
    server.measure = [this](const std::vector<Design> &all, size_t first) {
      measured.insert(measured.end(), all.begin() + std::ptrdiff_t(first),
                      all.end());
      return goesOn;
    };
    server.points = [](const std::vector<Design> &designs) {
      std::vector<StoredPoint> points(designs.size());
      for (size_t i = 0; i < points.size(); ++i) {
        points[i].number = i + 1;
        points[i].point.design = designs[i];
        points[i].point.values["energy"] = {double(i), double(i) + 1};
      }
      return points;
    };
    // One look without an ask is enough here.
    server.stopped = [this] { return looks++ > 4; };
    server.say = [](const std::string &) {};
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string &name, const std::string &text) {
    writeAside((folder / name).string(), text);
  }
  std::string read(const std::string &name) {
    return readFile((folder / name).string(), 1 << 20);
  }
  bool isThere(const std::string &name) {
    return std::filesystem::exists(folder / name);
  }

  std::filesystem::path folder;
  Study study;
  AskServer server;
  std::vector<Design> measured;
  int looks = 0;
  bool goesOn = true;
};

} // namespace

TEST_F(AskFolder, AnswersWhatIsAskedAndNumbersOn) {
  EXPECT_NE(read("study.json").find("\"microcode.lanes\""), std::string::npos);
  write("ask-1.csv", "microcode.lanes,compile.map-for\n1,time\n8,time\n");
  write("ask-2.csv", "compile.map-for,microcode.lanes\nenergy,4\n");
  EXPECT_EQ(serveAsks(study, server), 3u);
  EXPECT_EQ(measured.size(), 3u);
  // The order of columns does not matter.
  EXPECT_EQ(measured[2].values[0].second, "4");
  EXPECT_EQ(read("answer-1.csv").find("id,state,reason,microcode.lanes"), 0u);
  EXPECT_NE(read("answer-1.csv").find("\nP2,done,,8,time,"), std::string::npos);
  // The points of the first ask are not read again.
  EXPECT_NE(read("answer-2.csv").find("\nP3,done,,4,energy,,,,0,1,"),
            std::string::npos);
  EXPECT_EQ(answeredDesigns(study).size(), 3u);
}

TEST_F(AskFolder, GoesOnWhereItStopped) {
  write("ask-1.csv", "microcode.lanes,compile.map-for\n1,time\n");
  goesOn = false; // interrupted
  EXPECT_EQ(serveAsks(study, server), 1u);
  EXPECT_FALSE(isThere("answer-1.csv"));
  goesOn = true;
  looks = 0;
  serveAsks(study, server);
  const std::string first = read("answer-1.csv");
  write("ask-2.csv", "microcode.lanes,compile.map-for\n2,time\n");
  measured.clear();
  looks = 0;
  serveAsks(study, server);
  EXPECT_EQ(measured.size(), 1u); // the first has its answer
  EXPECT_EQ(read("answer-1.csv"), first);
  EXPECT_NE(read("answer-2.csv").find("\nP2,"), std::string::npos);
}

TEST_F(AskFolder, EndsWhereItsOtherSideEnds) {
  write("end", "");
  write("ask-1.csv", "microcode.lanes,compile.map-for\n1,time\n");
  EXPECT_EQ(serveAsks(study, server), 0u);
  EXPECT_TRUE(measured.empty());
}

TEST_F(AskFolder, EndsWithItsBudgetAndSaysSo) {
  study.mostPoints = 2;
  for (const char *name : {"ask-1.csv", "ask-2.csv"})
    write(name, "microcode.lanes,compile.map-for\n1,time\n2,time\n");
  EXPECT_EQ(serveAsks(study, server), 2u);
  EXPECT_TRUE(isThere("answer-1.csv"));
  EXPECT_FALSE(isThere("answer-2.csv"));
  EXPECT_EQ(read("end"), "the budget of 2 points is used up\n");
}

TEST_F(AskFolder, RefusesWhatIsNoAskAndTellsTheOtherSide) {
  const auto errorOf = [&](const std::string &text) {
    std::filesystem::remove(folder / "end");
    write("ask-1.csv", text);
    looks = 0;
    try {
      serveAsks(study, server);
    } catch (const Error &error) {
      EXPECT_EQ(read("end"), error.what() + std::string("\n"));
      return std::string(error.what())
          .substr((folder / "ask-1.csv").string().size());
    }
    return std::string();
  };
  EXPECT_EQ(errorOf("microcode.lanes\n1\n"),
            ":1:1: expected a column for each axis of the study, found none "
            "for 'compile.map-for'");
  EXPECT_EQ(errorOf("microcode.lanes,compile.map-for,lane\n1,time,2\n"),
            ":1:33: the study has no axis 'lane'");
  EXPECT_EQ(errorOf("microcode.lanes,compile.map-for\n1\n"),
            ":2:1: expected 2 values, one for each axis of the head, found 1");
}

TEST_F(AskFolder, RefusesToAnswerWithoutAResult) {
  write("ask-1.csv", "microcode.lanes,compile.map-for\n1,time\n");
  server.points = [](const auto &) { return std::vector<StoredPoint>(); };
  EXPECT_THROW(serveAsks(study, server), Error);
  EXPECT_FALSE(isThere("answer-1.csv"));
}
