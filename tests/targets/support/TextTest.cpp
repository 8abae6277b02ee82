// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Text.h"

#include <gtest/gtest.h>

using namespace dendrolith;

TEST(Shorten, ALongMessageLosesItsMiddle) {
  EXPECT_EQ(shortened("short"), "short");
  const std::string text =
      shortened("begin" + std::string(100000, 'x') + "end");
  EXPECT_LT(text.size(), 500u);
  EXPECT_EQ(text.substr(0, 6), "beginx");
  EXPECT_EQ(text.substr(text.size() - 4), "xend");
  EXPECT_NE(text.find("bytes are left out here"), text.npos);
  // No character is cut in two.
  std::string umlauts;
  while (umlauts.size() < 10001)
    umlauts += "\xc3\xa4";
  const std::string cut = shortened("1" + umlauts);
  EXPECT_EQ(utf8Prefix(cut), cut.size());
  // Many short words, and many lines.
  std::string words, lines;
  for (int i = 0; i < 10000; ++i) {
    words += "key: 1, ";
    lines += "one\n";
  }
  EXPECT_LT(shortened(words).size(), 2100u);
  EXPECT_LT(shortened(lines).size(), 4200u);
  EXPECT_EQ(shortened(std::string("a\0b\x1b[31mc\n\td", 12)),
            "a\\x00b\\x1b[31mc\n\td");
}
