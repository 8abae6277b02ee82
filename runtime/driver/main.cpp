// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Commands.h"
#include "runtime/driver/Suggest.h"
#include "runtime/host/Parts.h"
#include "targets/support/Error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iostream>
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

/// An empty text names no file and no chip, and means nothing to any flag: it
/// is the variable of a script that was not set.
void refuseEmptyValues(CLI::App &app) {
  for (CLI::App *command : app.get_subcommands({}))
    for (CLI::Option *option : command->get_options())
      if (option->get_items_expected_max() > 0)
        option->check([](const std::string &value) {
          return value.empty() ? std::string("expected a value, found ''")
                               : std::string();
        });
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

} // namespace

int main(int argc, char **argv) {
  fillStandardDescriptors();
  neurite::removePartsOnSignals();
  CLI::App app("Compiles trained dendritic and spiking networks for Loihi-like "
               "chips and simulates them, cycle by cycle.",
               "neurite");
  app.set_version_flag("--version", "neurite " NEURITE_VERSION);
  app.require_subcommand(1);
  neurite::driver::addCompile(app);
  neurite::driver::addCheck(app);
  neurite::driver::addRun(app);
  neurite::driver::addExport(app);
  neurite::driver::addReport(app);
  neurite::driver::addSweep(app);
  neurite::driver::addTune(app);
  neurite::driver::addExplore(app);
  neurite::driver::addGenerate(app);
  neurite::driver::addTargets(app);
  neurite::driver::addServe(app);
  neurite::driver::addCompletion(app);
  neurite::driver::addManual(app);
  refuseEmptyValues(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (app.exit(error) != 0) {
      std::fputs(neurite::driver::suggestions(app).c_str(), stderr);
      return kBadUsage;
    }
  } catch (const std::bad_alloc &) {
    std::fputs("error: out of memory\n", stderr);
    return kBadInput;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kBadInput;
  }
  return printedAll() ? 0 : kBadInput;
}
