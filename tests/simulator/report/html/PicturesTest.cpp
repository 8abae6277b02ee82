// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulator/report/html/StepPicture.cpp and ChipPicture.cpp: lengths, widths
// and lanes of steps and chips small enough to see.

#include "simulator/report/html/ChipPicture.h"
#include "simulator/report/html/StepPicture.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

size_t times(const std::string &text, const std::string &what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != text.npos;
       at = text.find(what, at + what.size()))
    ++count;
  return count;
}

Json step(uint64_t sample, uint64_t number, uint64_t update, uint64_t barrier,
          const char *closer) {
  return {{"sample", sample},   {"step", number},  {"update_ps", update},
          {"noc_ps", 0},        {"receive_ps", 0}, {"barrier_ps", barrier},
          {"closed_by", closer}};
}

TEST(StepPicture, StacksThePartsOfTheFirstSample) {
  const Json steps = {step(0, 0, 60000, 40000, "core 3 update"),
                      step(0, 1, 0, 40000, "barrier"),
                      step(1, 0, 1000, 1000, "core 9 update")};
  const std::string picture = stepPicture(steps);
  // 100 ns are the whole height of 190.
  EXPECT_THAT(picture, HasSubstr("height=\"114.00\"")) << "60 ns";
  EXPECT_EQ(times(picture, "height=\"76.00\""), 4u)
      << "40 ns twice, each with its hatching";
  EXPECT_THAT(picture,
              HasSubstr("step 0: 100.000 ns, closed by core 3 update"));
  EXPECT_THAT(picture, HasSubstr("barrier (1)"));
  EXPECT_THAT(picture, Not(HasSubstr("core 9")));
  EXPECT_THAT(stepTable(steps), HasSubstr("data-v=\"60000\">60.000"));
  EXPECT_EQ(stepData(steps).dump(),
            R"({"closers":["core 3 update","barrier","core 9 update"],)"
            R"("steps":[[0,0,60000,0,0,0,40000,0],[0,1,0,0,0,0,40000,1],)"
            R"([1,0,1000,0,0,0,1000,2]]})");
}

TEST(StepPicture, ShowsTheFirstOfManySteps) {
  Json steps = Json::array();
  for (uint64_t t = 0; t < 1000; ++t)
    steps.push_back(step(0, t, 1000, 0, "core 0 update"));
  const std::string picture = stepPicture(steps);
  EXPECT_EQ(times(picture, "<title>"), 380u);
  EXPECT_THAT(picture, HasSubstr("the first 380 of 1000"));
  EXPECT_THAT(stepTable(steps), HasSubstr("The first 500 of 1,000 rows"));
}

ChipLoad chip() {
  ChipLoad load;
  load.mesh.tilesX = 3;
  load.mesh.tilesY = 2;
  load.mesh.coresPerTile = 4;
  load.what = "ns per sample";
  return load;
}

TEST(ChipPicture, FillsCoresAsFarAsTheyAreLoaded) {
  ChipLoad load = chip();
  load.cores = {{0, 100}, {5, 50}};
  load.links = {{{0, 1}, 20}, {{1, 0}, 5}, {{0, 0}, 1000}};
  const std::string picture = chipPicture(load);
  EXPECT_THAT(picture, HasSubstr("core 0: 100 ns per sample"));
  EXPECT_THAT(picture, HasSubstr("class=\"fill q6\""));
  EXPECT_THAT(picture, HasSubstr("class=\"fill q3\""));
  EXPECT_THAT(picture, HasSubstr("height=\"11.00\"")) << "half of 22";
  EXPECT_EQ(times(picture, "class=\"core idle\""), 6u) << "of two tiles";
  EXPECT_THAT(picture, HasSubstr("stroke-width=\"11.00\"><title>tile 0 to tile "
                                 "1: 20 flits"));
  EXPECT_THAT(picture, HasSubstr("stroke-width=\"2.75\"><title>tile 1 to tile "
                                 "0: 5 flits"));
  EXPECT_EQ(times(picture, "class=\"link\""), 2u)
      << "ports of a tile's own cores are no links of the mesh";
}

TEST(ChipPicture, ShowsTheTilesInUseAlone) {
  ChipLoad load = chip();
  load.cores = {{20, 0}}; // of tile 5, the last
  const std::string picture = chipPicture(load);
  EXPECT_EQ(times(picture, "class=\"tile\""), 1u);
  EXPECT_EQ(times(picture, "data-core="), 1u) << "at no load, and in use";
}

TEST(ChipPicture, SaysThatAChipIsTooLarge) {
  ChipLoad load = chip();
  load.mesh.tilesX = load.mesh.tilesY = 1000;
  load.cores = {{0, 1}, {3999999, 1}};
  EXPECT_THAT(chipPicture(load), HasSubstr("No picture: those in use lie in "
                                           "1,000 by 1,000 tiles of 4 cores"));
}

} // namespace
} // namespace dendrolith::report::html
