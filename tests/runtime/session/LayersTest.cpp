// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a result says of a network of branches, and the paper's count on it.

#include "compiler/pipelines/Compile.h"
#include "compiler/pipelines/Statistics.h"
#include "simulator/report/PaperModel.h"

#include <gtest/gtest.h>

namespace neurite {
namespace {

int64_t number(mlir::Attribute row, llvm::StringRef key) {
  return mlir::cast<mlir::DictionaryAttr>(row)
      .getAs<mlir::IntegerAttr>(key)
      .getInt();
}

mlir::ArrayAttr rows(mlir::Attribute row, llvm::StringRef key) {
  return mlir::cast<mlir::DictionaryAttr>(row).getAs<mlir::ArrayAttr>(key);
}

TEST(Layers, OfTheMmdendNetwork) {
  Compilation model(NEURITE_SOURCE_DIR "/models/mmdend/mm_shapes.mlir", {});
  dend::NetworkOp network = model.floatNetwork();
  recordLayers(network);
  auto layers = network->getAttrOfType<mlir::ArrayAttr>("layers");
  ASSERT_EQ(layers.size(), 3u); // L0, L1, out
  report::PaperLayer layer;
  layer.channels = double(number(layers[1], "neurons"));
  layer.steps = 32;
  mlir::ArrayAttr branches = rows(layers[1], "branches");
  ASSERT_EQ(branches.size(), 4u);
  for (int64_t j = 0; j < 4; ++j) {
    EXPECT_EQ(number(branches[size_t(j)], "first"), 24 * j);
    EXPECT_EQ(number(branches[size_t(j)], "end"), 24 * j + 56);
    EXPECT_EQ(number(branches[size_t(j)], "modes"), 8);
    EXPECT_TRUE(mlir::cast<mlir::DictionaryAttr>(branches[size_t(j)])
                    .getAs<mlir::BoolAttr>("complex")
                    .getValue());
    layer.branches.push_back({56, 8});
  }
  EXPECT_EQ(number(rows(layers[0], "sources")[0], "synapses"), 128 * 32);
  EXPECT_EQ(number(rows(layers[1], "sources")[0], "synapses"), 128 * 128);
  EXPECT_EQ(number(rows(layers[2], "sources")[0], "synapses"), 10 * 128);
  EXPECT_EQ(rows(layers[2], "branches").size(), 0u);
  // D' = 56 in each of 4 branches: 224 (channel, branch) pairs, 25 each.
  report::PaperCost cost = report::paperCost(layer);
  EXPECT_DOUBLE_EQ(cost.dendriteFlops, 224 * 25 * 32);
  EXPECT_DOUBLE_EQ(cost.somaFlops, (2 * 224 + 3 * 128) * 32);
}

} // namespace
} // namespace neurite
