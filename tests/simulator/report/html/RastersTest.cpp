// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spikes out of recorded files, on arrays of a few values; and their picture
// (simulator/report/html/RasterPicture.cpp).

#include "simulator/report/html/RasterPicture.h"

#include "runtime/arrays/Npy.h"
#include "targets/support/Error.h"

#include <gmock/gmock.h>

namespace dendrolith::report::html {
namespace {

using testing::HasSubstr;

/// 2 samples of 3 ticks of 2 neurons, which send 4 values.
Array trace() {
  return Array::ofInts({2, 3, 2}, {0, 1, 0, 0, -5, 0, 0, 0, 1, 1, 0, 0});
}

TEST(Rasters, TracesByNameAloneAreEvents) {
  const Rasters rasters = rastersOf(
      {formatNpz({{"lif", trace()}, {"lif:v", trace()}}), ""}, 2, "R");
  ASSERT_EQ(rasters.rows.size(), 1u) << "a state is no raster";
  EXPECT_EQ(rasters.rows[0].name, "lif");
  EXPECT_EQ(rasters.rows[0].neurons, 2u);
  EXPECT_EQ(rasters.rows[0].ticks, 3u);
  EXPECT_EQ(rasters.rows[0].events, 4u);
  EXPECT_EQ(rasterData(rasters)["events"].dump(),
            "[[0,0,1,2,0,0],[1,0,0,1,0,1]]")
      << "tick, row and neuron, sample by sample";
}

TEST(Rasters, SpikesOfAStudyNetwork) {
  const std::string one = formatNpz({{"step", Array::ofInts({2}, {1, 3})},
                                     {"id", Array::ofInts({2}, {7, 0})}});
  const Rasters rasters = rastersOf({"", one}, 1, "R");
  EXPECT_EQ(rasters.rows[0].neurons, 8u);
  EXPECT_EQ(rasterData(rasters)["events"].dump(), "[[0,0,7,2,0,0]]");
}

TEST(Rasters, RefusesWhatIsNotOfTheResult) {
  auto message = [](const Recorded &recorded, uint64_t samples) {
    try {
      rastersOf(recorded, samples, "R");
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(
      message({formatNpz({{"lif", trace()}}), ""}, 3),
      HasSubstr("R: traces.npz: 'lif': expected (samples, ticks, neurons)"));
  EXPECT_THAT(message({"", formatNpz({{"step", Array::ofInts({1}, {0})},
                                      {"id", Array::ofInts({1}, {0})}})},
                      1),
              HasSubstr("row 0 is no spike of this result"));
  EXPECT_THAT(message({"", formatNpz({{"id", Array::ofInts({1}, {0})}})}, 1),
              HasSubstr("expected integers 'step'"));
}

TEST(Rasters, KeepWholeSamplesWithinABound) {
  const uint64_t neurons = 60000; // all of which fire in each of three samples
  const Rasters rasters = rastersOf(
      {formatNpz({{"n", Array::ofInts({3, 1, neurons},
                                      std::vector<int64_t>(3 * neurons, 1))}}),
       ""},
      3, "R");
  EXPECT_EQ(rasters.samplesKept, 2u);
  EXPECT_EQ(rasters.events.size(), 2 * neurons);
  EXPECT_EQ(rasters.rows[0].events, 3 * neurons) << "all are counted";
}

TEST(Rasters, PictureHasAMarkForEachEventOfTheFirstSample) {
  const Rasters rasters =
      rastersOf({formatNpz({{"<lif>", trace()}}), ""}, 2, "R");
  const std::string picture = rasterPicture(rasters);
  EXPECT_THAT(picture, HasSubstr("&lt;lif&gt;"));
  const size_t path = picture.find("class=\"spikes s0\"");
  ASSERT_NE(path, picture.npos);
  const std::string marks =
      picture.substr(path, picture.find('>', path) - path);
  EXPECT_EQ(std::count(marks.begin(), marks.end(), 'M'), 2);
  EXPECT_THAT(rasterTable(rasters), HasSubstr("data-v=\"4\""));
}

TEST(Rasters, PictureOfManyEventsHasThemFromTheFirstTickToTheLast) {
  const uint64_t neurons = 50000;
  const Rasters rasters = rastersOf(
      {formatNpz({{"n", Array::ofInts({1, 2, neurons},
                                      std::vector<int64_t>(2 * neurons, 1))}}),
       ""},
      1, "R");
  const std::string picture = rasterPicture(rasters);
  const auto marks = std::count(picture.begin(), picture.end(), 'M');
  EXPECT_GT(marks, 200);
  EXPECT_LT(marks, 1000) << "one for each three points of the height";
  EXPECT_THAT(picture, HasSubstr("M550.0 ")) << "the second tick";
  EXPECT_THAT(picture, HasSubstr("darker: more in a cell of 0.01 ticks"));
  EXPECT_THAT(rasterNote(rasters),
              HasSubstr("100,000 values other than 0, more than 20,000"));
}

TEST(Rasters, OfALongFirstSampleAPartIsKeptFromEverywhere) {
  const uint64_t neurons = 200000; // 400,000 events
  const Array all =
      Array::ofInts({1, 2, neurons}, std::vector<int64_t>(2 * neurons, 1));
  const Rasters rasters = rastersOf({formatNpz({{"n", all}}), ""}, 1, "R");
  EXPECT_EQ(rasters.every, 3u);
  EXPECT_EQ(rasters.events.size(), 133334u);
  EXPECT_EQ(rasters.events.back().tick, 1u);
  EXPECT_GT(rasters.events.back().neuron, neurons - 3);
  EXPECT_THAT(rasterNote(rasters), HasSubstr("It has one in 3 of them."));
}

} // namespace
} // namespace dendrolith::report::html
