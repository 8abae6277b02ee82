// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How messages write names and shapes (targets/support/Text.cpp), and where
// UTF-8 ends (Utf8.cpp).

#include "targets/support/Text.h"

#include <gtest/gtest.h>

using namespace dendrolith;

TEST(Text, Shapes) {
  EXPECT_EQ(shapeText({}), "()");
  EXPECT_EQ(shapeText({3}), "(3,)");
  EXPECT_EQ(shapeText({2, 34}), "(2, 34)");
  EXPECT_EQ(shapeText(std::vector<uint64_t>(33, 1)), "of 33 axes");
  EXPECT_EQ(product(std::vector<uint64_t>{}), 1u);
  EXPECT_EQ(product(std::vector<int64_t>{3, 4}), 12u);
  EXPECT_EQ(product(std::vector<uint64_t>{3, 0}), 0u);
  EXPECT_EQ(product(std::vector<uint64_t>{1ull << 63, 4}), ~uint64_t(0));
}

TEST(Text, Names) {
  EXPECT_EQ(quotedName("lif.0"), "'lif.0'");
  EXPECT_EQ(quotedName("a\nb\x7f"), "'a\\x0a"
                                    "b\\x7f'");
  EXPECT_EQ(quotedName(std::string(81, 'x')),
            "'" + std::string(80, 'x') + "...'");
  EXPECT_EQ(printable("a\nb"), "a?b");
  EXPECT_EQ(printable("abcd", 2), "ab...");
  EXPECT_EQ(printable("a\xc3\xbc", 2), "a..."); // no half character
}

/// RFC 3629: shortest forms only, no surrogates, nothing above U+10FFFF.
TEST(Utf8, PrefixEndsAtTheFirstBadByte) {
  EXPECT_EQ(utf8Prefix(""), 0u);
  EXPECT_EQ(utf8Prefix("plain"), 5u);
  EXPECT_EQ(utf8Prefix("gr\xc3\xbc\xc3\x9f"), 6u);
  EXPECT_EQ(utf8Prefix("\xe2\x82\xac\xf0\x9f\x98\x80"), 7u);
  EXPECT_EQ(utf8Prefix("\xef\xbf\xbf"), 3u);      // U+FFFF
  EXPECT_EQ(utf8Prefix("\xf4\x8f\xbf\xbf"), 4u);  // U+10FFFF
  EXPECT_EQ(utf8Prefix("a\xf4\x90\x80\x80"), 1u); // U+110000
  EXPECT_EQ(utf8Prefix("a\xed\xa0\x80"), 1u);     // a surrogate
  EXPECT_EQ(utf8Prefix("a\xc0\xaf"), 1u);         // not the shortest form
  EXPECT_EQ(utf8Prefix("a\xe0\x80\xaf"), 1u);
  EXPECT_EQ(utf8Prefix("a\xf0\x80\x80\xaf"), 1u);
  EXPECT_EQ(utf8Prefix("a\x80"), 1u); // nothing to continue
  EXPECT_EQ(utf8Prefix("a\xc3"), 1u); // cut off
  EXPECT_EQ(utf8Prefix("a\xe2\x82"), 1u);
  EXPECT_EQ(utf8Prefix("a\xff"), 1u);
  EXPECT_EQ(utf8Prefix(std::string_view("a\0b", 3)), 3u);
}
