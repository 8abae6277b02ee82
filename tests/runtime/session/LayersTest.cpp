// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/Statistics.cpp,
// simulator/report/paper/MmdendPaper.cpp. What a result says of a network of
// branches, and the paper's count on it.

#include "compiler/pipelines/Compile.h"
#include "compiler/pipelines/Statistics.h"
#include "simulator/report/paper/MmdendPaper.h"

#include <gtest/gtest.h>

namespace dendrolith {
namespace {

TEST(Layers, OfTheMmdendNetwork) {
  Compilation model(DENDROLITH_SOURCE_DIR "/models/mmdend/mm_shapes.mlir");
  dend::NetworkOp network = model.floatNetwork();
  recordLayers(network);
  std::vector<report::LayerAttr> layers;
  for (auto row : network.getLayersAttr().getAsRange<report::LayerAttr>())
    layers.push_back(row);
  ASSERT_EQ(layers.size(), 3u); // L0, L1, out
  report::PaperLayer layer;
  layer.channels = double(layers[1].getNeurons());
  layer.steps = 32;
  llvm::ArrayRef<report::BranchAttr> branches = layers[1].getBranches();
  ASSERT_EQ(branches.size(), 4u);
  for (int64_t j = 0; j < 4; ++j) {
    report::BranchAttr branch = branches[size_t(j)];
    EXPECT_EQ(branch.getFirst(), 24 * j);
    EXPECT_EQ(branch.getEnd(), 24 * j + 56);
    EXPECT_EQ(branch.getModes(), 8);
    EXPECT_TRUE(branch.getComplex());
    layer.branches.push_back({56, 8});
  }
  EXPECT_EQ(layers[0].getSources()[0].getSynapses(), 128 * 32);
  EXPECT_EQ(layers[1].getSources()[0].getSynapses(), 128 * 128);
  EXPECT_EQ(layers[2].getSources()[0].getSynapses(), 10 * 128);
  EXPECT_EQ(layers[2].getBranches().size(), 0u);
  // D' = 56 in each of 4 branches: 224 (channel, branch) pairs, 25 each.
  report::PaperCost cost = report::paperCost(layer);
  EXPECT_DOUBLE_EQ(cost.dendriteFlops, 224 * 25 * 32);
  EXPECT_DOUBLE_EQ(cost.somaFlops, (2 * 224 + 3 * 128) * 32);
}

} // namespace
} // namespace dendrolith
