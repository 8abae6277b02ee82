// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/JsonText.h"

#include <gtest/gtest.h>

using namespace dendrolith;

static std::string jsonRefusal(const std::string &text) {
  try {
    checkJsonText(text, "a.json");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

static std::string nested(int levels) {
  return std::string(size_t(levels), '[') + std::string(size_t(levels), ']');
}

TEST(JsonText, HasOneLimitOfNesting) {
  EXPECT_EQ(jsonRefusal(nested(kMostJsonLevels)), "");
  EXPECT_EQ(jsonRefusal(nested(kMostJsonLevels + 1)),
            "a.json:1:65: expected at most 64 levels of nesting");
  EXPECT_NE(jsonRefusal(nested(1000000)), "");
  // Many beside each other, and brackets in a text, are no levels.
  std::string wide = "[";
  for (int i = 0; i < 1000; ++i)
    wide += "[],{},";
  EXPECT_EQ(jsonRefusal(wide + "1]"), "");
  EXPECT_EQ(jsonRefusal("[\"" + nested(100) + "\\\"" + nested(100) + "\"]"),
            "");
}

TEST(JsonText, RefusesAZeroByte) {
  EXPECT_EQ(jsonRefusal(std::string("{}\n\0x", 5)),
            "a.json:2:1: expected JSON, found a zero byte");
}

TEST(JsonText, SaysNothingOfTheLibrary) {
  EXPECT_EQ(jsonReason(std::runtime_error(
                "[json.exception.out_of_range.403] key 'a' not found")),
            "expected a member 'a', found none");
  EXPECT_EQ(jsonReason(std::runtime_error(
                "[json.exception.type_error.304] cannot use at() with array")),
            "expected another kind of value, found array");
  EXPECT_EQ(
      jsonReason(std::runtime_error("[json.exception.type_error.302] type "
                                    "must be number, but is string")),
      "expected number, found string");
  EXPECT_EQ(jsonReason(std::runtime_error("[json.exception.out_of_range.401] "
                                          "array index 3 is out of range")),
            "expected a list with an element 3, found a shorter one");
  EXPECT_EQ(jsonReason(std::runtime_error("as it is")), "as it is");
}
