// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/OutputDirectory.h"
#include "tests/runtime/TestSupport.h"

#include <atomic>
#include <set>
#include <thread>

using namespace dendrolith;
using namespace dendrolith::test;

static const std::vector<std::string> names = {"one", "two", "last"};

static void writeAll(const std::string &path,
                     const std::vector<std::string> &which,
                     const std::string &text) {
  OutputDirectory out(path, names);
  for (const std::string &name : which)
    out.write(name, text);
  out.commit();
}

static std::set<std::string> filesIn(const std::string &path) {
  std::set<std::string> found;
  for (const auto &entry : std::filesystem::directory_iterator(path))
    found.insert(entry.path().filename().string());
  return found;
}

TEST(OutputDirectory, AppearsTogether) {
  ScratchDirectory scratch;
  std::string path = scratch.file("a/b/");
  {
    OutputDirectory out(path, names);
    out.write("one", "1");
    out.write("last", "2");
    EXPECT_FALSE(std::filesystem::exists(path + "one"));
    out.commit();
  }
  EXPECT_EQ(readFile(path + "one", 9), "1");
  EXPECT_EQ(readFile(path + "last", 9), "2");
  {
    OutputDirectory out(path, names);
    out.write("one", "new");
    EXPECT_THROW(out.write("../three", "3"), Error);
    EXPECT_THROW(out.write("three", "3"), Error);
  }
  EXPECT_EQ(readFile(path + "one", 9), "1");
  EXPECT_EQ(filesIn(path), (std::set<std::string>{"one", "last"}));
}

TEST(OutputDirectory, ReplacesAResultAsAWhole) {
  ScratchDirectory scratch;
  std::string path = scratch.file("a/");
  writeAll(path, names, "old");
  writeAside(path + "notes", "of the user");
  writeAside(path + ".two.1.0.part", "of a run that was killed");
  writeAll(path, {"one", "last"}, "new");
  EXPECT_EQ(filesIn(path), (std::set<std::string>{"last", "notes", "one"}));
  EXPECT_EQ(readFile(path + "one", 9), "new");
}

TEST(OutputDirectory, LeavesWhatIsNoResult) {
  ScratchDirectory scratch;
  std::string path = scratch.file("two");
  writeAside(path, "of the user");
  EXPECT_EQ(
      errorOf([&] { OutputDirectory out(scratch.directory.string(), names); }),
      path + ": this file is of no result, as there is no last beside "
             "it, and would be replaced or removed; choose another "
             "directory, or remove the file");
  EXPECT_EQ(readFile(path, 99), "of the user");
}

TEST(OutputDirectory, TwoCannotWriteIntoOne) {
  ScratchDirectory scratch;
  std::string path = scratch.file("a");
  {
    OutputDirectory first(path, names);
    EXPECT_EQ(errorOf([&] { OutputDirectory second(path, names); }),
              path + ": another run writes into this directory; wait for it or "
                     "choose another one");
    first.write("last", "first");
    first.commit();
  }
  writeAll(path, {"last"}, "second");
  EXPECT_EQ(readFile(path + "/last", 9), "second");
}

// Whoever is refused leaves the folder alone, even if it has made it.
TEST(OutputDirectory, OneOfTwoThatBeginIsLeftAlone) {
  for (int pair = 0; pair < 50; ++pair) {
    ScratchDirectory scratch;
    const std::string path = scratch.file("a/b");
    std::atomic<int> written{0}, refused{0}, waiting{2};
    const auto begin = [&] {
      --waiting;
      while (waiting)
        ;
      try {
        OutputDirectory out(path, names);
        out.write("last", "1");
        while (!refused && !written) // the other one has had its turn
          std::this_thread::yield();
        out.commit();
        ++written;
      } catch (const Error &error) {
        EXPECT_NE(std::string(error.what()).find("another run writes"),
                  std::string::npos)
            << error.what();
        ++refused;
      }
    };
    std::thread first(begin), second(begin);
    first.join();
    second.join();
    EXPECT_EQ(written, 1);
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(filesIn(path), std::set<std::string>{"last"});
  }
}

// One that ends without a result takes the folder along, under another one's
// feet.
TEST(OutputDirectory, BeginsAgainWhereAFolderGoesAway) {
  ScratchDirectory scratch;
  const std::string path = scratch.file("a/b");
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over)
      try {
        OutputDirectory out(path, names);
      } catch (const Error &) {
      }
  });
  for (int done = 0; done < 200;)
    try {
      OutputDirectory out(path, names);
      out.write("last", "1");
      out.commit();
      EXPECT_EQ(filesIn(path), std::set<std::string>{"last"});
      std::filesystem::remove(path + "/last");
      ++done;
    } catch (const Error &error) {
      ASSERT_NE(std::string(error.what()).find("another run writes"),
                std::string::npos)
          << error.what();
    }
  over = true;
  other.join();
}

TEST(OutputDirectory, AMixtureOfOldAndNewHasNoMark) {
  ScratchDirectory scratch;
  std::string path = scratch.file("a/");
  writeAll(path, {"one", "last"}, "old");
  {
    OutputDirectory out(path, names);
    for (const std::string &name : names)
      out.write(name, "new");
    std::filesystem::create_directory(path + "two"); // stops its rename
    EXPECT_THROW(out.commit(), Error);
  }
  EXPECT_EQ(readFile(path + "one", 9), "new");
  EXPECT_FALSE(std::filesystem::exists(path + "last"));
}

TEST(OutputDirectory, LeavesNothingOfAFailure) {
  ScratchDirectory scratch;
  {
    OutputDirectory out(scratch.file("a/b"), names);
    out.write("one", "1");
    EXPECT_TRUE(std::filesystem::exists(scratch.file("a/b")));
  }
  EXPECT_EQ(scratch.entries(), 0u);
  writeAside(scratch.file("file"), "");
  EXPECT_NE(errorOf([&] {
              OutputDirectory out(scratch.file("file"), names);
            }).find("expected a directory, found a file"),
            std::string::npos);
  EXPECT_THROW(OutputDirectory(scratch.file("file/below"), names), Error);
  EXPECT_EQ(scratch.entries(), 1u);
}
