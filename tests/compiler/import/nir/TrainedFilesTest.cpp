// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/nir/Nir.cpp, compiler/import/nir/OptionsPresets.cpp.
// Networks that others trained and exported, against recorded spikes.

#include "tests/compiler/import/Run.h"

#include "runtime/arrays/Npy.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::testing;

namespace {
class TrainedFiles : public ::testing::Test {
protected:
  void SetUp() override {
    const char *given = std::getenv("DENDROLITH_SHARED");
    folder = given ? given : DENDROLITH_SOURCE_DIR "/../shared";
    folder += "/data/nir/";
    if (!std::filesystem::exists(folder))
      GTEST_SKIP() << "skipped: no " << folder;
  }
  /// An .npy file of shape (rows, columns).
  Rows bytes(const std::string &name, size_t columns) {
    Array array = loadNpy(folder + name);
    EXPECT_EQ(array.shape.at(1), columns) << name;
    Rows rows(array.shape.at(0));
    for (size_t i = 0; i < array.size(); ++i)
      rows[i / columns].push_back(array.value(i));
    return rows;
  }
  std::string folder;
};

size_t differences(const Rows &a, const Rows &b) {
  EXPECT_EQ(a.size(), b.size());
  size_t count = 0;
  for (size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(a[t].size(), b[t].size());
    for (size_t i = 0; i < a[t].size(); ++i)
      count += a[t][i] != b[t][i];
  }
  return count;
}
} // namespace

TEST_F(TrainedFiles, BrailleSpikesInAllPlaces) {
  Imported run(folder + "braille_noDelay_bias_zero.nir");
  EXPECT_TRUE(run.warnings().empty());
  run.record("lif1.lif");
  Rows input = bytes("braille_input_sample0.npy", 12);
  ASSERT_EQ(input.size(), 256u);
  Rows output = run.outputs(input);
  Rows hidden = bytes("braille_zero_expected_lif1.npy", 38);
  ASSERT_EQ(hidden.size() * 38, 9728u);
  EXPECT_EQ(differences(run.emissions("lif1.lif"), hidden), 0u);
  EXPECT_EQ(differences(output, bytes("braille_zero_expected_output.npy", 7)),
            0u);
}

TEST_F(TrainedFiles, NorseLif) {
  Imported run(folder + "lif_norse.nir");
  // tau 2.5 ms, r 1, dt 0.1 ms, threshold 0.1: v = 1 - 0.96^n > 0.1 at n = 3.
  Rows ones(9, Row{1});
  EXPECT_EQ(run.outputs(ones),
            (Rows{{0}, {0}, {1}, {0}, {0}, {1}, {0}, {0}, {1}}));
}

TEST_F(TrainedFiles, SinabsNetworkKeepsItsConvolutions) {
  Imported run(folder + "cnn_sinabs.nir");
  std::string text = run.text();
  // Pooling is part of the window behind it: 2 x 2 and then 3 x 3.
  for (const char *window :
       {"tensor<16x2x5x5xf32>", "tensor<16x16x3x3xf32>", "tensor<8x16x6x6xf32>",
        "stride = [2, 2], padding = [2, 2, 2, 2]"})
    EXPECT_NE(text.find(window), std::string::npos) << window;
  EXPECT_NE(text.find("tensor<256x512xf32>"), std::string::npos);
  EXPECT_EQ(text.find("#dend.sparse"), std::string::npos);
}
