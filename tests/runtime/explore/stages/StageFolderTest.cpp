// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/stages/StageFolder.cpp.

#include "runtime/explore/stages/StageFolder.h"

#include "runtime/host/Files.h"
#include "targets/support/Sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

TEST(StageFolder, GivesBackWholeFilesAlone) {
  const std::string place =
      (std::filesystem::temp_directory_path() /
       ("dendrolith-stages-" + std::to_string(::getpid())))
          .string();
  const StageFolder folder(place);
  const std::string key = sha256("what it depends on");
  EXPECT_FALSE(folder.find("map", key));
  const std::string bytes("a\0b\n", 4);
  folder.put("map", key, bytes);
  EXPECT_EQ(folder.find("map", key), bytes);
  EXPECT_FALSE(folder.find("time", key));
  const std::string path = folder.pathOf("map", key),
                    content = readFile(path, 1000);
  for (const std::string &damaged :
       {content.substr(0, content.size() - 1), content + "x", std::string(),
        "X" + content.substr(1)}) {
    writeAside(path, damaged);
    EXPECT_FALSE(folder.find("map", key)) << damaged;
  }
  writeAside(place + "/file", "");
  const StageFolder none(place + "/file");
  EXPECT_THROW(none.put("map", key, bytes), Unwritable);
  std::filesystem::remove_all(place);
}

} // namespace
} // namespace dendrolith::explore
