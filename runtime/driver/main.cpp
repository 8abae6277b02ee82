// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Commands.h"
#include "runtime/driver/Suggest.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

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

} // namespace

int main(int argc, char **argv) {
  fillStandardDescriptors();
  CLI::App app("Compiles trained dendritic and spiking networks for Loihi-like "
               "chips and simulates them, cycle by cycle.",
               "neurite");
  app.set_version_flag("--version", "neurite " NEURITE_VERSION);
  app.require_subcommand(1);
  neurite::driver::addCompile(app);
  neurite::driver::addRun(app);
  neurite::driver::addExport(app);
  neurite::driver::addReport(app);
  neurite::driver::addSweep(app);
  neurite::driver::addGenerate(app);
  neurite::driver::addTargets(app);
  neurite::driver::addShell(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    const int code = app.exit(error);
    if (code == 0)
      return 0;
    std::fputs(neurite::driver::suggestions(app).c_str(), stderr);
    return kBadUsage;
  } catch (const std::bad_alloc &) {
    std::fputs("error: out of memory\n", stderr);
    return kBadInput;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kBadInput;
  }
  return 0;
}
