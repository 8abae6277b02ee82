// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spikes in a file, and beside those that were expected.

#include "runtime/session/Raster.h"

#include "runtime/arrays/Npy.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::session {
namespace {

/// Three spikes in every other tick, more than a block in the file holds.
sim::SpikeList many(uint32_t ticks, uint32_t first) {
  sim::SpikeList spikes;
  for (uint32_t tick = 0; tick < ticks; tick += 2) {
    const uint32_t neurons[] = {first, first + tick % 5 + 1, first + 7};
    spikes.add(tick, 0, neurons, 3);
  }
  return spikes;
}

std::map<std::string, Array>
written(const std::vector<sim::SpikeList> &samples) {
  return parseNpz(
      bytesOf([&](const ByteSink &sink) { writeSpikes(samples, sink); }),
      "spikes.npz");
}

TEST(Raster, WritesWhatNumPyReads) {
  const std::vector<sim::SpikeList> samples = {
      many(20000, 3), {}, many(5, 100)};
  for (size_t count : {1u, 3u}) {
    std::vector<int64_t> sample, step, id;
    for (size_t s = 0; s < count; ++s)
      samples[s].each([&](const sim::SpikeEvent &event) {
        sample.push_back(int64_t(s));
        step.push_back(int64_t(event.tick) + 1);
        id.push_back(event.neuron);
      });
    auto arrays = written({samples.begin(), samples.begin() + long(count)});
    EXPECT_EQ(arrays["step"].ints, step);
    EXPECT_EQ(arrays["id"].ints, id);
    EXPECT_EQ(arrays.count("sample"), count > 1);
    EXPECT_TRUE(count == 1 || arrays["sample"].ints == sample);
    for (const auto &[name, array] : arrays)
      EXPECT_EQ(array.dtype, "<i4") << name;
  }
}

/// What is said of a raster; empty if it is that of the spikes.
std::string judged(const sim::SpikeList &spikes,
                   const study::Raster &expected) {
  try {
    checkRaster(spikes, expected, "net.npz");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(Raster, NamesTheFirstSpikeThatDiffers) {
  const sim::SpikeList spikes = many(100, 3);
  study::Raster raster;
  spikes.each([&](const sim::SpikeEvent &event) {
    raster.step.push_back(int32_t(event.tick) + 1);
    raster.id.push_back(int32_t(event.neuron));
  });
  EXPECT_EQ(judged(spikes, raster), "");
  study::Raster other = raster;
  other.id[40] = 99;
  other.id[41] = 99;
  EXPECT_NE(judged(spikes, other)
                .find("expected neuron 99 in step 27 as "
                      "spike 40, found neuron"),
            std::string::npos);
  other = raster;
  other.step[149] = 100;
  EXPECT_NE(judged(spikes, other).find("as spike 149"), std::string::npos);
  other.step.pop_back();
  other.id.pop_back();
  EXPECT_NE(judged(spikes, other).find("expected none as spike 149"),
            std::string::npos);
  raster.step.push_back(200);
  raster.id.push_back(1);
  EXPECT_NE(judged(spikes, raster).find("found none"), std::string::npos);
}

} // namespace
} // namespace dendrolith::session
