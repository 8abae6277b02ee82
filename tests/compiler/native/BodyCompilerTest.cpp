// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step bodies as machine code against the reference interpreter, to the bit:
// random bodies and shipped networks (every op on edge values:
// EveryOpTest.cpp). DENDROLITH_FUZZ_BODIES (default 150) sets how many random
// networks there are, DENDROLITH_FUZZ_SEED (default 1) which.

#include "compiler/native/BodyCompiler.h"

#include "compiler/pipelines/Compile.h"
#include "targets/support/Error.h"
#include "tests/agreement/FuzzSettings.h"
#include "tests/agreement/RandomReals.h"
#include "tests/compiler/native/Twins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace dendrolith::test {
namespace {

TEST(BodyCompiler, RandomBodiesGiveTheSameBits) {
  const int most = int(fuzzSetting("DENDROLITH_FUZZ_BODIES", 150));
  const auto first = uint32_t(fuzzSetting("DENDROLITH_FUZZ_SEED", 1));
  int compiled = 0;
  for (uint32_t seed = first; seed < first + uint32_t(most); ++seed) {
    std::mt19937_64 random(seed);
    const RealSizes sizes{int(2 + seed % 19), int(3 + seed % 9)};
    const RandomReals reals = randomReals(seed, sizes);
    Parsed parsed(reals.text);
    ASSERT_TRUE(parsed.network) << "seed " << seed;
    Twins twins(parsed.network, {});
    ASSERT_EQ(twins.compare(2, 8, random, seed % 2 ? moderate : edge), "")
        << "seed " << seed << "\n"
        << reals.text;
    ASSERT_EQ(twins.compiled, twins.bodies) << reals.text;
    compiled += twins.compiled;
  }
  EXPECT_GE(compiled, 2 * most);
}

/// Files of a folder of models that hold a network whose weights are known.
std::vector<std::string> modelsIn(const std::string &folder) {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(
           std::string(DENDROLITH_SOURCE_DIR) + "/models/" + folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".npz" || ending == ".nir")
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ShippedNetworks : public ::testing::TestWithParam<const char *> {};

/// Populations whose bodies mark the largest of more elements than code is
/// written for.
int marking(dend::NetworkOp network) {
  int count = 0;
  for (auto population : network.getOps<dend::PopulationOp>())
    dend::modelOf(population)->walk([&](dend::TopKOp op) {
      count += dend::elementCount(op.getInput().getType()) > 16;
    });
  return count;
}

TEST_P(ShippedNetworks, GiveTheSameBits) {
  int networks = 0;
  for (const std::string &file : modelsIn(GetParam())) {
    std::optional<Compilation> model;
    try {
      model.emplace(file);
    } catch (const Error &) {
      continue; // an example of what no engine runs
    }
    Twins twins(model->floatNetwork(), model->constants());
    std::mt19937_64 random(3);
    EXPECT_EQ(twins.compare(2, 5, random, moderate), "") << file;
    EXPECT_EQ(twins.compiled, twins.bodies - marking(model->floatNetwork()))
        << file;
    ++networks;
  }
  EXPECT_GT(networks, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedNetworks,
                         ::testing::Values("mmdend", "dendricl", "elm",
                                           "dendattn", "lif", "cnn"));

TEST(BodyCompiler, BodiesThatDifferInNumbersAloneShareCode) {
  auto body = [](const char *name, const char *range, const char *number) {
    return std::string(
               "dend.network @net {\n  dend.clock @t\n  dend.neuron @") +
           name +
           " ports(%I) params(%k : tensor<5xf64>) states(%v : tensor<5xf64>) "
           "outputs(y : !dend.spike<graded>) {\n    %n, %d = dend.branch %v, "
           "%I "
           "A %k C %k act relu for " +
           range + "\n    %h = dend.literal " + number +
           " : f64 as f64\n    %e = dend.mul %d, %h\n    dend.yield states(%n) "
           "emit(%e)\n  }\n}\n";
  };
  auto codeOf = [&](const char *name, const char *range, const char *number,
                    int64_t neurons) {
    Parsed parsed(body(name, range, number));
    EXPECT_TRUE(parsed.network);
    return native::bodyCompiler().compile(
        *parsed.network.getOps<dend::NeuronOp>().begin(), neurons);
  };
  const auto code = codeOf("a", "[0, 8]", "2.0", 12);
  ASSERT_TRUE(code);
  EXPECT_EQ(codeOf("b", "[0, 8]", "3.0", 100), code);
  EXPECT_NE(codeOf("a", "[0, 9]", "2.0", 12), code);
  EXPECT_NE(codeOf("a", "[0, 8]", "2.0", 1), code); // one neuron at a time
}

TEST(BodyCompiler, FixedPointIsLeftToTheInterpreter) {
  Parsed parsed(
      "dend.network @net {\n  dend.clock @t\n  dend.neuron @a ports(%I : "
      "!dend.fx<24, 0>) states(%v : !dend.fx<24, 0>) {\n    %n = "
      "dend.add %v, %I\n    dend.yield states(%n)\n  }\n}\n");
  ASSERT_TRUE(parsed.network);
  EXPECT_FALSE(native::bodyCompiler().compile(
      *parsed.network.getOps<dend::NeuronOp>().begin(), 8));
}

} // namespace
} // namespace dendrolith::test
