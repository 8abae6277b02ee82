// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/ChipEdges.cpp, compiler/mapping/EdgeLoads.cpp,
// compiler/mapping/KeepEdges.cpp: what leads over the edge of two chips
// by hand, and what becomes of a mapping that has too much of it.

#include "compiler/mapping/ChipEdges.h"

#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// The input goes to `b`, and two neurons of `a` to one each of `b`, both of
/// which go to `a` and to the host.
MapNetwork both() {
  MapNetwork network;
  const uint32_t in = addInput(network, "in", 3),
                 a = addPopulation(network, "a", 4),
                 b = addPopulation(network, "b", 2);
  dense(network, true, in, b);
  oneToOne(network, false, a, b);
  dense(network, false, b, a);
  network.hostOutput = {0, 1};
  return network;
}

/// `a` on chip 0 and `b` on chip 1.
std::vector<Slice> apart() { return {{0, 0, 4, 0, 0}, {1, 0, 2, 4, 0}}; }

TEST(ChipEdges, AxonsAreCountedByHand) {
  Target target = twoTinyChips();
  // 3 of the input and 2 of `a`; back 2 of `b` and 2 for the host.
  EXPECT_EQ(edgeAxons(both(), target, apart()),
            (EdgeAxons{{{0, 1}, 5}, {{1, 0}, 4}}));
  target.mesh.hostOnEach = true;
  EXPECT_EQ(edgeAxons(both(), target, apart()),
            (EdgeAxons{{{0, 1}, 2}, {{1, 0}, 2}}));
  EXPECT_TRUE(
      edgeAxons(both(), target, {{0, 0, 4, 0, 0}, {1, 0, 2, 1, 0}}).empty());
}

// Cut in two, `b` has an in-axon of each element of the input on both cores.
TEST(ChipEdges, EachInAxonCounts) {
  EXPECT_EQ(edgeAxons(both(), twoTinyChips(),
                      {{0, 0, 4, 0, 0}, {1, 0, 1, 4, 0}, {1, 1, 1, 5, 0}}),
            (EdgeAxons{{{0, 1}, 8}, {{1, 0}, 4}}));
}

TEST(ChipEdges, TooManyAreNamed) {
  Target target = twoTinyChips();
  EXPECT_FALSE(edgeMisfit(both(), target, apart()));
  target.mesh.edgeAxons = 5;
  EXPECT_FALSE(edgeMisfit(both(), target, apart()));
  target.mesh.edgeAxons = 3;
  const auto misfit = edgeMisfit(both(), target, apart());
  ASSERT_TRUE(misfit);
  EXPECT_EQ(misfit->used, 5u);
  EXPECT_EQ(misfit->limit, 3u);
  EXPECT_EQ(misfit->message.rfind("the edge from chip 0 to chip 1: 5 axons "
                                  "lead over it, 'tiny' has room for 3: ",
                                  0),
            0u)
      << misfit->message;
}

TEST(ChipEdges, CoresChangeChipsToKeepALimit) {
  Target target = twoTinyChips();
  std::vector<Slice> slices = apart();
  keepEdges(both(), target, slices);
  EXPECT_EQ(slices[1].core, 4u); // without a limit nothing moves
  target.mesh.edgeAxons = 4;
  keepEdges(both(), target, slices);
  EXPECT_FALSE(edgeMisfit(both(), target, slices));
  // `a` comes first: on chip 1, only the host is on the other side.
  EXPECT_EQ(edgeAxons(both(), target, slices),
            (EdgeAxons{{{0, 1}, 3}, {{1, 0}, 2}}));
}

TEST(ChipEdges, AMappingHasARowForEachEdge) {
  Target target = twoTinyChips();
  target.mesh.edgeAxons = 9;
  Mapping mapping;
  mapping.slices = apart();
  addEdgeRows(both(), target, mapping);
  EXPECT_EQ(row(mapping, "chip edge 0 to 1").used, 5u);
  EXPECT_EQ(row(mapping, "chip edge 1 to 0").limit, 9u);
  EXPECT_EQ(mapping.fit.size(), 2u);
}

} // namespace
