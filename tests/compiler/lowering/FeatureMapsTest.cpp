// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/lowering/FeatureMaps.cpp and compiler/mapping/network/
// Kernels.cpp: what convolutions take of a core that stores their kernels.

#include "compiler/lowering/FeatureMaps.h"

#include "compiler/mapping/network/Kernels.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Chip.h"

#include <gtest/gtest.h>

#include <set>

using namespace dendrolith;

namespace {

/// A row of a table that Intel's compiler printed for PilotNet on Loihi 2
/// (lava-nc/lava-dl at d825ac5, tutorials/lava/lib/dl/netx/
/// pilotnet_snn/benchmark.ipynb and pilotnet_sdnn/benchmark.ipynb): a core has
/// so many columns of all maps of a layer.
struct PublishedRow {
  dend::Window window;
  int64_t columns;
  uint64_t neurons, words;
  uint32_t inAxons;
  uint32_t weightBits; // the tables do not tell them
};

dend::Window windowOf(std::array<int64_t, 3> input, int64_t channels,
                      std::array<int64_t, 2> stride, int64_t padding) {
  dend::Window window;
  window.input = input;
  window.channels = channels;
  window.kernel = {3, 3};
  window.stride = stride;
  window.padding = {padding, 0, padding, 0};
  return window;
}

std::vector<PublishedRow> publishedRows() {
  const dend::Window conv1 = windowOf({3, 66, 200}, 24, {2, 2}, 0),
                     conv2 = windowOf({24, 32, 99}, 36, {2, 2}, 0),
                     conv3 = windowOf({36, 15, 49}, 48, {2, 2}, 0),
                     conv4 = windowOf({48, 7, 24}, 64, {2, 1}, 1),
                     conv5 = windowOf({64, 4, 22}, 64, {1, 1}, 0);
  return {// Spikes.
          {conv1, 4, 3072, 81, 2, 6},
          {conv2, 4, 2160, 864, 2, 6},
          {conv3, 8, 2688, 1620, 2, 6},
          {conv4, 8, 2048, 2160, 1, 4},
          {conv5, 16, 2048, 2880, 1, 4},
          // Sigma and delta.
          {conv1, 4, 3072, 81, 2, 6},
          {conv2, 4, 2160, 864, 2, 6},
          {conv3, 8, 2688, 1620, 2, 6},
          {conv4, 8, 2048, 2592, 1, 5},
          {conv5, 16, 2048, 2880, 1, 4}};
}

TEST(FeatureMaps, PilotNetsKernelsTakeWhatTheVendorsTablesSay) {
  const Target target = Target::load("loihi2");
  EXPECT_TRUE(storesKernels(target));
  for (const PublishedRow &row : publishedRows()) {
    MapProjection projection;
    projection.weightBits = row.weightBits;
    projection.kernel = kernelOf(row.window);
    ASSERT_EQ(projection.kernel.channel.size(), size_t(row.window.targets()));
    KernelMeter meter(target.synapses, projection);
    uint64_t neurons = 0;
    for (int64_t n = 0; n < row.window.targets(); ++n)
      if (n % row.window.output(1) < row.columns) {
        meter.add(uint32_t(n));
        ++neurons;
      }
    EXPECT_EQ(neurons, row.neurons);
    EXPECT_EQ(meter.words(), row.words) << row.window.channels;
    EXPECT_EQ(projection.kernel.inAxons, row.inAxons) << row.window.channels;
  }
}

// An in-axon for each remainder of a column by the stride that a tap meets.
TEST(FeatureMaps, InAxonsFollowTheStrideOfColumns) {
  auto axons = [](int64_t kernel, int64_t stride, int64_t dilation) {
    dend::Window window = windowOf({1, 20, 20}, 2, {3, stride}, 0);
    window.kernel = {1, kernel};
    window.dilation = {1, dilation};
    const MapKernel made = kernelOf(window);
    std::set<int> used;
    window.taps([&](int64_t, int64_t source, int64_t) {
      used.insert(made.inAxon.empty() ? 0 : made.inAxon[size_t(source)]);
    });
    EXPECT_EQ(used.size(), made.inAxons);
    return made.inAxons;
  };
  EXPECT_EQ(axons(3, 1, 1), 1u);
  EXPECT_EQ(axons(3, 2, 1), 2u);
  EXPECT_EQ(axons(1, 2, 1), 1u);
  EXPECT_EQ(axons(2, 4, 1), 2u);
  EXPECT_EQ(axons(5, 3, 1), 3u);
  EXPECT_EQ(axons(3, 2, 2), 1u);
}

TEST(FeatureMaps, AChipWithoutTheKeyStoresLists) {
  EXPECT_FALSE(storesKernels(Target::load("loihi1")));
  EXPECT_FALSE(
      storesKernels(Target::load("loihi2,synapse_memory.kernels=false")));
}

} // namespace
