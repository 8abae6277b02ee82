// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Claims.h"

#include "runtime/host/Files.h"
#include "tests/runtime/TestSupport.h"

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace dendrolith;
using namespace dendrolith::explore;
using dendrolith::test::ScratchDirectory;

namespace {

/// A claim as another process left it, so many seconds ago.
void leave(const std::string &path, const std::string &owner, int seconds) {
  std::ofstream(path) << owner << "\n";
  const timespec then = {::time(nullptr) - seconds, 0};
  const timespec times[] = {then, then};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

} // namespace

TEST(Claims, OneTakesAShardAndReleasesIt) {
  const ScratchDirectory scratch;
  Claims claims(scratch.directory.string());
  EXPECT_TRUE(claims.take(3));
  EXPECT_FALSE(claims.take(3));
  EXPECT_TRUE(claims.others().empty());
  claims.release(3);
  EXPECT_TRUE(claims.take(3));
}

TEST(Claims, OfTheDeadAndTheSilentAreTakenOver) {
  const ScratchDirectory scratch;
  Claims claims(scratch.directory.string());
  const auto path = [&](const char *name) {
    return scratch.file("claims") + "/" + name;
  };
  leave(path("000001"), "elsewhere 77 5", 10);
  leave(path("000002"), "elsewhere 77 5", 1000);
  leave(path("000003"), hostName() + " 999999999 5", 0);
  // This process, but another beginning: its number was given again.
  leave(path("000004"), hostName() + " " + std::to_string(::getpid()) + " 5",
        0);
  leave(path("000005"), "", 0); // it has only just been made
  EXPECT_EQ(claims.others(), (std::vector<std::string>{".", "elsewhere.77"}));
  EXPECT_FALSE(claims.take(1));
  EXPECT_TRUE(claims.take(2));
  EXPECT_TRUE(claims.take(3));
  EXPECT_TRUE(claims.take(4));
  EXPECT_FALSE(claims.take(5));
}

TEST(Claims, OfTheLivingAreLeftAlone) {
  const ScratchDirectory scratch;
  Claims claims(scratch.directory.string());
  ASSERT_TRUE(claims.take(1));
  const pid_t child = ::fork();
  if (child == 0) {
    bool taken = true;
    {
      Claims others(scratch.directory.string());
      taken = others.take(1);
    }
    ::_exit(taken);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
