// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/Statistics.cpp. What a result says of a network of
// branches.

#include "compiler/pipelines/Compile.h"
#include "compiler/pipelines/Statistics.h"

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
  EXPECT_EQ(layers[1].getNeurons(), 128);
  llvm::ArrayRef<report::BranchAttr> branches = layers[1].getBranches();
  ASSERT_EQ(branches.size(), 4u);
  for (int64_t j = 0; j < 4; ++j) {
    report::BranchAttr branch = branches[size_t(j)];
    EXPECT_EQ(branch.getFirst(), 24 * j);
    EXPECT_EQ(branch.getEnd(), 24 * j + 56);
    EXPECT_EQ(branch.getModes(), 8);
    EXPECT_TRUE(branch.getComplex());
  }
  EXPECT_EQ(layers[0].getSources()[0].getSynapses(), 128 * 32);
  EXPECT_EQ(layers[1].getSources()[0].getSynapses(), 128 * 128);
  EXPECT_EQ(layers[2].getSources()[0].getSynapses(), 10 * 128);
  EXPECT_EQ(layers[2].getBranches().size(), 0u);
}

} // namespace
} // namespace dendrolith
