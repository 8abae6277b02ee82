// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/candidates/Search.h: what a limit of out-axons does to the
// best mapping.

#include "compiler/mapping/candidates/Search.h"
#include "tests/compiler/mapping/Networks.h"

#include <fmt/format.h>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Layers that all neurons of the next one hear.
MapNetwork denseLayers() {
  MapNetwork network;
  addInput(network, "in", 8);
  network.inputRate = {std::vector<double>(8, 0.3)};
  for (uint32_t p = 0; p < 3; ++p) {
    addPopulation(network, fmt::format("p{}", p), 64);
    network.populationRate.push_back(std::vector<double>(64, 0.2));
    dense(network, p == 0, p == 0 ? 0 : p - 1, p);
  }
  return network;
}

/// The time of a step on the mapping that is chosen for it; 0 where there is
/// none. Energy follows the chip's leakage, and with it the size of its
/// memories.
double stepAt(const MapNetwork &network, uint64_t limit, uint32_t least = 0) {
  Target target =
      Target::load(fmt::format("loihi1,limits.out_axons={}", limit));
  MappingOptions options;
  options.minCores = least;
  options.goal = "time";
  Fit<Mapping> found = mapNetwork(network, target, options);
  if (!found)
    return 0;
  for (const TradeOff &row : found->tradeOff)
    if (row.chosen)
      return row.stepNs;
  return 0;
}

// With cuts for fewer out-axons alone a looser limit was worse by up to a
// sixth: the last touch went to other candidates.
TEST(TightAxons, ALooserLimitIsNotWorse) {
  const MapNetwork network = denseLayers();
  double before = 0;
  for (uint64_t limit : {4, 16, 23, 45, 64, 69, 98, 4096}) {
    const double step = stepAt(network, limit);
    if (before > 0) {
      EXPECT_GT(step, 0) << limit;
      EXPECT_LE(step, before) << limit;
    }
    before = step;
  }
  EXPECT_GT(before, 0);
}

TEST(TightAxons, FindMoreCoresWhereTheFewestCannotBeSplit) {
  const MapNetwork network = denseLayers();
  EXPECT_GT(stepAt(network, 64), 0);
  for (uint32_t cores : {8, 12})
    EXPECT_GT(stepAt(network, 64, cores), 0) << cores;
}

} // namespace
