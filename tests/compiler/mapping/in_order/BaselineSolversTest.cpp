// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer by layer in order, equal parts, one part a core.

#include "compiler/mapping/in_order/BaselineSolvers.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Three layers, each connected to the next by one synapse a neuron.
MapNetwork layers(const std::vector<uint32_t> &sizes) {
  MapNetwork network;
  for (size_t l = 0; l < sizes.size(); ++l)
    addPopulation(network, "layer" + std::to_string(l), sizes[l]);
  for (uint32_t l = 0; l + 1 < sizes.size(); ++l)
    oneToOne(network, false, l, l + 1);
  return network;
}

/// loihi1 with cores for 64 neurons, so many of them in one tile.
Target oneTileCores(uint64_t cores) {
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  target.mesh.tilesX = target.mesh.tilesY = 1;
  target.mesh.coresPerTile = cores;
  return target;
}

TEST(IterativeSplitSolver, LayersTakeCoresInOrderInEqualParts) {
  Mapping mapping =
      mapWith(layers({100, 10, 130}), oneTileCores(8), "iterative-split");
  EXPECT_EQ(mapping.solver, "iterative-split");
  std::vector<std::array<uint32_t, 4>> found;
  for (const Slice &slice : mapping.slices)
    found.push_back({slice.core, slice.population, slice.first, slice.count});
  EXPECT_EQ(found, (std::vector<std::array<uint32_t, 4>>{{0, 0, 0, 50},
                                                         {1, 0, 50, 50},
                                                         {2, 1, 0, 10},
                                                         {3, 2, 0, 43},
                                                         {4, 2, 43, 43},
                                                         {5, 2, 86, 44}}));
}

TEST(IterativeSplitSolver, PartsShareCoresWhereThereAreMoreThanCores) {
  Mapping mapping =
      mapWith(layers({20, 20, 20}), oneTileCores(2), "iterative-split");
  ASSERT_EQ(mapping.slices.size(), 3u);
  EXPECT_EQ(row(mapping, "cores").used, 1u);
}

} // namespace
