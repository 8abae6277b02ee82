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
  // A whole file that somebody moved to another name.
  folder.put("map", key, bytes);
  const std::string moved = sha256("something else");
  folder.put("map", moved, "another");
  folder.put("time", key, "another");
  std::filesystem::copy(path, folder.pathOf("map", moved),
                        std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy(path, folder.pathOf("time", key),
                        std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(folder.find("map", key), bytes);
  EXPECT_FALSE(folder.find("map", moved));
  EXPECT_FALSE(folder.find("time", key));
  writeAside(place + "/file", "");
  const StageFolder none(place + "/file");
  EXPECT_THROW(none.put("map", key, bytes), Unwritable);
  std::filesystem::remove_all(place);
}

} // namespace
} // namespace dendrolith::explore
