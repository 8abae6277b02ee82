// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Parts.h"
#include "runtime/host/OutputDirectory.h"
#include "tests/runtime/TestSupport.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace dendrolith;
using namespace dendrolith::test;

// A child that is killed by a signal takes its files and directories along.
TEST(Parts, GoWithASignal) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    ScratchDirectory scratch, others;
    const std::string kept = others.directory.string();
    writeAside(kept + "/file", "of the user");
    pid_t child = ::fork();
    if (child == 0) {
      setSignals();
      OutputDirectory out(scratch.file("a/b"), {"one"});
      out.write("one", "1");
      AtomicFile other(scratch.file("other"));
      const std::string tree = scratch.file("tree");
      addPart(tree, Part::Tree);
      makeFolder(tree + "/run/deep");
      for (int i = 0; i < 100; ++i) // more than one reading of the folder
        writeAside(tree + "/run/" + std::string(100, 'a') + std::to_string(i),
                   "1");
      std::filesystem::create_symlink(kept, tree + "/link");
      ::raise(signal);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    EXPECT_EQ(scratch.entries(), 0u);
    EXPECT_EQ(others.entries(), 1u) << "a link is not followed";
  }
}

// A limit of a file's size is an error that says so, and ends no process.
TEST(Parts, AFileBeyondItsLimitIsAnError) {
  ScratchDirectory scratch;
  pid_t child = ::fork();
  if (child == 0) {
    setSignals();
    const rlimit most = {4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &most);
    const std::string error = errorOf(
        [&] { writeAside(scratch.file("a"), std::string(10000, 'x')); });
    ::_exit(error == scratch.file("a") + ": cannot write: File too large" ? 0
                                                                          : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(scratch.entries(), 0u);
}
