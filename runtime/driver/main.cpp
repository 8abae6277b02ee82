// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Command.h"
#include "runtime/host/MemoryLimit.h"
#include "runtime/host/Parts.h"
#include "runtime/host/StartRanks.h"
#include "runtime/session/ErrorParts.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/Path.h>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

/// The optimiser, which the wheel's program has in it, too.
[[gnu::weak]] int optimiserMain(int argc, char **argv);

namespace {

constexpr int kBadInput = 1, kBadUsage = 2;

/// Whoever starts a program may have closed its standard descriptors. The first
/// file that is opened would then become one of them, and what is printed would
/// go into it.
void fillStandardDescriptors() {
  int fd = ::open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO)
    fd = ::open("/dev/null", O_RDWR);
  if (fd >= 0)
    ::close(fd);
}

/// LLVM ends the process where it has no memory, unless somebody throws.
void throwBadAlloc(void *, const char *, bool) { throw std::bad_alloc(); }

/// `most` bytes could be had when the command began.
std::string outOfMemory(std::optional<uint64_t> most) {
  const std::string had = most ? fmt::format("the {:.1f} GB that it could have",
                                             double(*most) / 1e9)
                               : std::string("there is");
  return "out of memory: this needs more than " + had +
         "; a smaller network, fewer samples or fewer --threads need less";
}

/// What was printed may wait in a buffer, and a disk may be full.
bool printedAll() {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout)
    return true;
  std::fprintf(stderr, "error: cannot write to standard output: %s\n",
               std::strerror(errno));
  return false;
}

/// Runs the command. What it has to say of a failure, beyond what it printed,
/// is left in `error`.
int command(int argc, char **argv, std::optional<uint64_t> memory,
            std::string &error) {
  try {
    if (!dendrolith::driver::runCommand(argc, argv))
      return kBadUsage;
  } catch (const dendrolith::RankedCommand::Done &) {
    return 0;
  } catch (const std::bad_alloc &) {
    error = outOfMemory(memory);
    return kBadInput;
  } catch (const std::exception &failure) {
    error = dendrolith::session::messageOf(failure);
    return kBadInput;
  }
  return printedAll() ? 0 : kBadInput;
}

/// Only `run` knows several processes; a launcher may start many of the others,
/// such as workers of a study, each for itself.
bool isRun(int argc, char **argv) {
  return argc > 1 && std::string_view(argv[1]) == "run";
}

} // namespace

int main(int argc, char **argv) {
  fillStandardDescriptors();
  if (argc > 0 && llvm::sys::path::filename(argv[0]) == "dendrolith-opt") {
    if (optimiserMain)
      return optimiserMain(argc, argv);
    std::fprintf(stderr, "error: dendrolith-opt is not in this program; it is "
                         "built beside it (./quickstart)\n");
    return kBadInput;
  }
  dendrolith::setSignals();
  llvm::install_bad_alloc_error_handler(throwBadAlloc);
  const unsigned here = isRun(argc, argv) ? dendrolith::processesHere() : 1;
  const auto memory = dendrolith::limitMemory(here);
  std::string error;
  int status = 0;
  std::optional<dendrolith::RankedCommand> ranked;
  try {
    if (isRun(argc, argv))
      if (auto ranks = dendrolith::startRanks())
        ranked.emplace(std::move(ranks));
    status = command(argc, argv, memory, error);
  } catch (const std::exception &failure) {
    error = dendrolith::session::messageOf(failure);
    status = kBadInput;
  }
  if (ranked)
    status = ranked->agree(status, error);
  if (!error.empty())
    std::fprintf(stderr, "error: %s\n", dendrolith::shortened(error).c_str());
  if (ranked)
    ranked->finish();
  return status;
}
