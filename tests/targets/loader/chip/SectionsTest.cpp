// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Sections.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

TEST(Payload, BitsHoldEveryValue) {
  EXPECT_EQ(payloadBits(0, 1), 1u);
  EXPECT_EQ(payloadBits(0, 255), 8u);
  EXPECT_EQ(payloadBits(0, 256), 9u);
  EXPECT_EQ(payloadBits(-1, 0), 1u);
  EXPECT_EQ(payloadBits(-128, 127), 8u);
  EXPECT_EQ(payloadBits(-129, 0), 9u);
}

TEST(Payload, HostSendsWhatFits) {
  const HostAbility binary, byte{8, false}, sign{8, true};
  EXPECT_TRUE(hostSends(binary, 0, 1)); // a spike
  EXPECT_FALSE(hostSends(binary, 0, 2));
  EXPECT_FALSE(hostSends(binary, -1, 1));
  EXPECT_TRUE(hostSends(byte, 0, 255));
  EXPECT_FALSE(hostSends(byte, 0, 256));
  EXPECT_FALSE(hostSends(byte, -1, 0));
  EXPECT_TRUE(hostSends(sign, -128, 127));
  EXPECT_FALSE(hostSends(sign, -128, 128));
}

// A wider payload makes nothing impossible.
TEST(Payload, IsMonotone) {
  for (int64_t low : {-9, -1, 0})
    for (int64_t high : {1, 7, 200})
      for (bool sign : {false, true})
        for (uint64_t bits = sign; bits < 32; ++bits)
          EXPECT_LE(hostSends({bits, sign}, low, high),
                    hostSends({bits + 1, sign}, low, high));
}

} // namespace
