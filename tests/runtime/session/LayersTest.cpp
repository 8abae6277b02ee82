// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/Statistics.cpp and runtime/session/RunReport.cpp.
// What a result says of a network of branches.

#include "compiler/pipelines/Compile.h"
#include "compiler/pipelines/Statistics.h"

#include "runtime/session/RunReport.h"

#include <nlohmann/json.hpp>

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

TEST(Layers, HaveTheShapesOfTheirSynapses) {
  using Json = nlohmann::ordered_json;
  Compilation model(DENDROLITH_SOURCE_DIR "/models/cnn/glyphs_cnn.nir");
  dend::NetworkOp network = model.floatNetwork();
  recordLayers(network);
  Json layers = Json::array();
  for (auto row : network.getLayersAttr().getAsRange<report::LayerAttr>()) {
    layers.push_back({{"population", row.getPopulation().str()},
                      {"sources", Json::array()}});
    for (report::SourceAttr source : row.getSources())
      layers.back()["sources"].push_back({{"name", source.getName().str()}});
  }
  session::addShapes(layers, network);
  std::vector<std::string> kinds;
  for (const Json &layer : layers)
    for (const Json &source : layer.at("sources"))
      kinds.push_back(source.at("kind"));
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"convolution", "convolution", "dense"}));
  EXPECT_EQ(layers[1].at("sources")[0].at("window"),
            Json::parse(R"({"input": [8, 7, 7], "output": [16, 4, 4],
              "kernel": [3, 3], "stride": [2, 2], "padding": [1, 1, 1, 1],
              "dilation": [1, 1], "groups": 1})"));
  EXPECT_EQ(layers[2].at("sources")[0].at("biases"), 10);
}

} // namespace
} // namespace dendrolith
