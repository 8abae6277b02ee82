// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/host/ChildProcess.cpp.

#include "runtime/host/ChildProcess.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using dendrolith::beginOf;

TEST(Processes, HaveABeginUntilTheyEnd) {
  EXPECT_NE(beginOf(::getpid()), "");
  EXPECT_EQ(beginOf(::getpid()), beginOf(::getpid()));
  EXPECT_EQ(beginOf(999999999), "");
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_NE(beginOf(child), "");
  ::kill(child, SIGKILL);
  siginfo_t info;
  ::waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT); // it stays as it is
  EXPECT_EQ(beginOf(child), "");
  ::waitpid(child, nullptr, 0);
}
