// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Parts.h"
#include "runtime/host/OutputDirectory.h"
#include "tests/runtime/TestSupport.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace dendrolith;
using namespace dendrolith::test;

// A child that is killed by a signal takes its files and directories along.
TEST(Parts, GoWithASignal) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ScratchDirectory scratch;
    pid_t child = ::fork();
    if (child == 0) {
      removePartsOnSignals();
      OutputDirectory out(scratch.file("a/b"), {"one"});
      out.write("one", "1");
      AtomicFile other(scratch.file("other"));
      ::raise(signal);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    EXPECT_EQ(scratch.entries(), 0u);
  }
}
