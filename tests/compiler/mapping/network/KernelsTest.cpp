// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/network/Kernels.cpp. What the vendor's tables say of
// it is in tests/compiler/lowering/FeatureMapsTest.cpp.

#include "compiler/mapping/network/Kernels.h"

#include "compiler/mapping/in_order/SliceMeter.h"
#include "compiler/mapping/result/Measure.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Maps of `side` x `side`; each target reads its place in all source channels
/// of its group and the place before it.
MapNetwork twoTaps(uint32_t groups, uint32_t sources, uint32_t channels,
                   uint32_t side) {
  const uint32_t places = side * side;
  MapNetwork network;
  addInput(network, "in", groups * sources * places);
  addPopulation(network, "maps", groups * channels * places);
  MapProjection &made = connect(
      network, true, 0, 0, [&](uint32_t s, uint32_t t) -> std::optional<int> {
        const uint32_t from = s % places, to = t % places;
        if (s / places / sources != t / places / channels ||
            (from != to && from + 1 != to))
          return std::nullopt;
        return int((s / places * 7 + t / places * 3 + to - from) % 5) - 2;
      });
  made.shared = made.convolution = true;
  made.kernel.taps = 2;
  made.kernel.sources = sources;
  made.kernel.group = channels;
  made.kernel.inAxons = 1;
  for (uint32_t n = 0; n < groups * channels * places; ++n) {
    made.kernel.channel.push_back(n / places);
    made.kernel.place.push_back(n % places);
  }
  return network;
}

uint64_t usedOf(const std::vector<FitRow> &rows, const std::string &resource) {
  for (const FitRow &row : rows)
    if (row.resource == resource)
      return row.used;
  throw Error("no row " + resource);
}

TEST(Kernels, ASliceStoresTheListsOfItsChannelsOnce) {
  const Target target = Target::load("loihi2");
  const MapNetwork network = twoTaps(2, 3, 20, 3);
  const MapProjection &projection = network.projections[0];
  // Channels 18 and 19 of the first group, and 0 to 10 of the second.
  const KernelWords kernel(target.synapses, projection, {0, 162, 279, 360});
  EXPECT_EQ(kernel.lists(1), 2u * 3 * 2);
  EXPECT_EQ(kernel.stored(1),
            3 * 2 *
                (kernelListWords(target.synapses, projection, 2) +
                 kernelListWords(target.synapses, projection, 11)));
  // Source channel 0 at place 4 reaches places 4 and 5 of both channels.
  const uint32_t neurons[] = {166, 167, 175, 176};
  const int16_t weights[] = {3, 0, -1, 2};
  const auto plan = kernel.plan(1, neurons, weights, 4, 162);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->count, 3u); // zeros are read, but are no operations
  EXPECT_EQ(plan->firstOffset, 4u);
  EXPECT_EQ(plan->words, 2 * kernelListWords(target.synapses, projection, 2));
  const int16_t zeros[] = {0, 0, 0, 0};
  EXPECT_FALSE(kernel.plan(1, neurons, zeros, 4, 162));
}

// What a slice takes while it grows is what a finished mapping takes.
TEST(Kernels, SlicesThatGrowAreCountedAsMappingsAre) {
  const Target target = Target::load("loihi2");
  const MapNetwork network =
      permute(twoTaps(3, 2, 5, 4), {[] { // places first, as tiles have them
                std::vector<uint32_t> order;
                for (uint32_t n = 0; n < 240; ++n)
                  order.push_back(n % 15 * 16 + n / 15);
                return order;
              }()});
  const Capacity capacity(target);
  SliceMeter meter(network, target.synapses, capacity, EntryBytes(target));
  const std::vector<uint32_t> outRows(240, 0);
  for (uint32_t end : {1u, 7u, 15u, 16u, 100u, 240u}) {
    ASSERT_EQ(meter.grow(0, 0, end, outRows, Demand()), end);
    const Demand demand = meter.demand();
    if (end == 240) {
      const std::vector<FitRow> rows =
          measure(network, target, {{0, 0, 240, 0, 0}});
      EXPECT_EQ(demand.used(SynapseWords), usedOf(rows, "synapse memory"));
      EXPECT_EQ(demand.used(InAxons), usedOf(rows, "in-axons"));
      EXPECT_EQ(demand.used(SynapseFormats), usedOf(rows, "synapse formats"));
      EXPECT_EQ(demand.used(CoreBytes), usedOf(rows, "core memory"));
    }
    const KernelWords kernel(target.synapses, network.projections[0],
                             {0, end, 240});
    EXPECT_EQ(demand.used(SynapseWords), kernel.stored(0)) << end;
    EXPECT_EQ(demand.used(InAxons), 1u);
  }
}

} // namespace
