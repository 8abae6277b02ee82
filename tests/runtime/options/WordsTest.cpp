// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/Words.h"

#include <gtest/gtest.h>

namespace dendrolith::options {
namespace {

TEST(Words, KeysOfAStudyStandInPlaceOfFlags) {
  EXPECT_EQ(withKeys("another target, or --override-limit max_delay"),
            "another target, or compile.override-limit max_delay");
  EXPECT_EQ(withKeys("--cores: expected MIN:MAX"),
            "compile.cores: expected MIN:MAX");
  EXPECT_EQ(withKeys("fewer neurons (--cores)"),
            "fewer neurons (compile.cores)");
  EXPECT_EQ(withKeys("check --import dt and --import time-unit=s"),
            "check compile.dt and compile.time-unit=s");
  EXPECT_EQ(withKeys("give some with --calibrate"),
            "give some with calibrate of the model");
}

TEST(Words, WhatIsNoKeyStays) {
  for (const char *text : {"", "--", "nothing", "--verify runs in one process",
                           "the file 'a--cores.npy'", "--import nothing"})
    EXPECT_EQ(withKeys(text), text);
}

} // namespace
} // namespace dendrolith::options
