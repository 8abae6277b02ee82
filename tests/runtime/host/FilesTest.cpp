// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Files.h"
#include "runtime/arrays/Npy.h"
#include "tests/runtime/TestSupport.h"

#include <sys/stat.h>

using namespace dendrolith;
using namespace dendrolith::test;

TEST(Files, ReadsWithinTheLimit) {
  ScratchDirectory scratch;
  std::string path = scratch.file("x");
  writeAside(path, std::string("a\0b", 3));
  EXPECT_EQ(readFile(path, 3), std::string("a\0b", 3));
  EXPECT_EQ(errorOf([&] { readFile(path, 2); }),
            path + ": expected at most 2 bytes, found 3");
  EXPECT_EQ(errorOf([&] { readFile(scratch.directory.string(), 9); }),
            scratch.directory.string() +
                ": expected a regular file, found a directory");
  EXPECT_EQ(errorOf([&] { readFile(scratch.file("y"), 9); }),
            scratch.file("y") + ": cannot open: No such file or directory");
}

TEST(Files, DoesNotWaitForAPipe) {
  ScratchDirectory scratch;
  std::string path = scratch.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(errorOf([&] { readFile(path, 9); }),
            path + ": expected a regular file, found a device or pipe");
  EXPECT_THROW(writeAside(path, "x"), Error);
  EXPECT_THROW(loadNpy("/dev/zero"), Error);
}

TEST(Files, AppearWholeOrNotAtAll) {
  ScratchDirectory scratch;
  std::string path = scratch.file("x");
  {
    AtomicFile file(path);
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  EXPECT_EQ(scratch.entries(), 0u);
  {
    AtomicFile file(path);
    file.write("wh");
    file.write("ole");
    file.commit();
  }
  EXPECT_EQ(readFile(path, 9), "whole");
  writeAside(path, "again");
  EXPECT_EQ(readFile(path, 9), "again");
  EXPECT_EQ(scratch.entries(), 1u);
}

TEST(Files, RefusesPlacesThatCannotBeWritten) {
  ScratchDirectory scratch;
  EXPECT_NE(errorOf([&] {
              writeAside(scratch.file("no/x"), "");
            }).find("no/x: cannot write: No such file or directory"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              writeAside(scratch.directory.string(), "");
            }).find("found a directory"),
            std::string::npos);
  EXPECT_THROW(writeAside("", ""), Error);
  EXPECT_THROW(writeAside("/dev/null", ""), Error);
  EXPECT_EQ(scratch.entries(), 0u);
}
