// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models by their extension.

#include "tests/compiler/import/NirWriter.h"
#include "tests/compiler/import/Run.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace dendrolith::testing;

static std::string write(const std::string &name, const std::string &text) {
  std::string path = temporary(name);
  std::ofstream(path) << text;
  return path;
}

TEST(Import, MlirFileMakesTheRoundTrip) {
  NirWriter file("round.nir");
  file.node("input", "Input").set("shape", {1}, {2});
  file.node("w", "Affine")
      .set("weight", {2, 2}, {1, 2, 3, 4})
      .set("bias", {2}, {0, 1});
  file.node("a.n", "LI").scalar("tau", 2e-4).scalar("r", 1).scalar("v_leak", 0);
  file.node("output", "Output").set("shape", {1}, {2});
  file.edges({{"input", "w"}, {"w", "a.n"}, {"a.n", "output"}});
  Imported original(file.close());
  EXPECT_EQ(original.name(), "round");
  Imported again(write("round.mlir", original.text()));
  EXPECT_EQ(again.name(), "round");
  Rows rows = {{1, 2}, {0, 1}, {-3, 4}};
  EXPECT_EQ(again.outputs(rows), original.outputs(rows));
  EXPECT_EQ(again.text(), original.text());
}

TEST(Import, RefusesOtherFiles) {
  std::string path = write("model.onnx", "");
  EXPECT_EQ(refusal(path),
            path + ": unknown kind of model '.onnx', expected "
                   ".nir, .npz, .pt2, .net, .lava.pb, .mlir or .mlirbc, "
                   "or a folder of RANC's with csram_000.mem; in Python "
                   "dendrolith.from_torch takes a module of "
                   "PyTorch, from_layers the arrays of layers");
  path = temporary("absent.mlir");
  EXPECT_EQ(refusal(path),
            path + ": cannot be read: No such file or directory");
  path = write("empty.mlir", "module {}");
  EXPECT_EQ(refusal(path), path + ": expected one dend.network, found 0");
  path = write("two.mlir", "dend.network @a { dend.clock @t }\n"
                           "dend.network @b { dend.clock @t }\n");
  EXPECT_EQ(refusal(path), path + ": expected one dend.network, found 2");
  path = write("broken.mlir", "dend.network @a {\n  dend.clock\n}\n");
  EXPECT_EQ(refusal(path).rfind(path + ":3:1: ", 0), 0u) << refusal(path);
}
