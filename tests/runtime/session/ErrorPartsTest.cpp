// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ErrorParts.h"

#include <gtest/gtest.h>

namespace dendrolith::session {
namespace {

TEST(ErrorParts, APlaceWithLineAndColumn) {
  ErrorParts parts = partsOf("dir/net.mlir:12:7: expected ')', found 'x'");
  EXPECT_EQ(parts.file, "dir/net.mlir");
  EXPECT_EQ(parts.line, 12u);
  EXPECT_EQ(parts.column, 7u);
  EXPECT_EQ(parts.node, "");
  EXPECT_EQ(parts.hint, "");
}

TEST(ErrorParts, ANodeAndWhatToDo) {
  ErrorParts parts = partsOf(
      "net.nir: node 'fc1.a' (Affine): 'bias' has shape (3,); write it; again"
      "\n  note: somewhere; else");
  EXPECT_EQ(parts.file, "net.nir");
  EXPECT_EQ(parts.line, 0u);
  EXPECT_EQ(parts.node, "fc1.a");
  EXPECT_EQ(parts.hint, "again");
}

TEST(ErrorParts, TheFirstNameIsThePlace) {
  EXPECT_EQ(partsOf("layer '@L0': differs from population 'b'").node, "L0");
  EXPECT_EQ(partsOf("population 'b': node 3 of layer 'c'").node, "b");
}

TEST(ErrorParts, WhatIsNoPlaceIsNone) {
  for (const char *text : {"the network: is 1.5 wide", "expected 'a.b': found",
                           "no colon", "cannot set 'x': y", ""})
    EXPECT_EQ(partsOf(text).file, "") << text;
  EXPECT_EQ(partsOf("net.nir: node 'unfinished").node, "");
}

TEST(ErrorParts, JsonHasAllKeys) {
  const auto json = errorJson("unfit", "population 'a': too large");
  EXPECT_EQ(json.at("kind"), "unfit");
  EXPECT_EQ(json.at("node"), "a");
  for (const char *key : {"file", "line", "column", "hint"})
    EXPECT_TRUE(json.at(key).is_null()) << key;
}

} // namespace
} // namespace dendrolith::session
