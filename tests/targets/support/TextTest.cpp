// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Text.h"

#include <gtest/gtest.h>

using namespace dendrolith;

TEST(Shorten, ALongMessageLosesItsMiddle) {
  EXPECT_EQ(shortened("short"), "short");
  const std::string text =
      shortened("begin" + std::string(100000, 'x') + "end");
  EXPECT_LT(text.size(), 4200u);
  EXPECT_EQ(text.substr(0, 6), "beginx");
  EXPECT_EQ(text.substr(text.size() - 4), "xend");
  EXPECT_NE(text.find("bytes are left out here"), text.npos);
  // No character is cut in two.
  std::string umlauts;
  while (umlauts.size() < 10001)
    umlauts += "\xc3\xa4";
  const std::string cut = shortened("1" + umlauts);
  EXPECT_EQ(utf8Prefix(cut), cut.size());
}
