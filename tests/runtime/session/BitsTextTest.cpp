// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/BitsText.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith::session {
namespace {

std::string bitsError(const std::string &value) {
  try {
    return "gave " + bitsText("--weight-bits", value);
  } catch (const Error &error) {
    return error.what();
  }
}

/// What a file of that content gives.
std::string ofFile(const std::string &ending, const std::string &content) {
  const std::string path =
      (std::filesystem::temp_directory_path() /
       ("dendrolith-bits-" + std::to_string(::getpid()) + ending))
          .string();
  writeAside(path, content);
  std::string text = bitsError(path);
  std::filesystem::remove(path);
  if (size_t at = text.find(path); at != std::string::npos)
    text.replace(at, path.size(), "FILE");
  return text;
}

TEST(BitsText, TakesNumbersAndNames) {
  for (const char *text : {"4", "8,4,4", "L1=4", "x->L1=4,R=8"})
    EXPECT_EQ(bitsError(text), std::string("gave ") + text);
}

TEST(BitsText, RefusesWhatIsNeither) {
  for (const char *text :
       {"", "four", "8,,4", "8,", "=4", "L1=", "8,L1=4", "L1=4,8", "-3", "4.5"})
    EXPECT_EQ(bitsError(text).rfind("--weight-bits: expected 4, 8,4,4", 0), 0u)
        << text;
}

TEST(BitsText, ReadsFiles) {
  EXPECT_EQ(ofFile(".yaml", "{L1: 4, R: 8}"), "gave L1=4,R=8");
  EXPECT_EQ(ofFile(".yml", "L1: 4\nR: 8\n"), "gave L1=4,R=8");
  EXPECT_EQ(ofFile(".json", "{\"x->L1\": 4}"), "gave x->L1=4");
  EXPECT_EQ(ofFile(".json", "[8, 4, 4]"), "gave 8,4,4");
  EXPECT_EQ(ofFile(".yaml", "5"), "gave 5");
}

TEST(BitsText, NamesThePlaceInAFile) {
  EXPECT_EQ(ofFile(".yaml", "L1: 4\nR: many\n"),
            "FILE:2:4: expected a number of bits, found 'many'");
  EXPECT_EQ(
      ofFile(".json", "{\"a,b\": 4}"),
      "FILE:1:2: expected the name of a layer without ',' and '=', found the "
      "text 'a,b'");
  EXPECT_EQ(ofFile(".json", "[]"),
            "FILE:1:1: expected bits of layers, found nothing");
}

} // namespace
} // namespace dendrolith::session
