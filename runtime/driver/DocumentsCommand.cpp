// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith docs`: the documentation that lies beside the program.

#include "runtime/driver/Command.h"

#include "targets/loader/files/Discovery.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <unistd.h>

namespace dendrolith::driver {
namespace {

/// Shows a page where somebody sits before a screen. Nothing waits for it.
void showPage(const std::string &page) {
  const bool screen = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  if (!screen || !::isatty(STDOUT_FILENO))
    return;
  std::string program = "xdg-open", argument = page;
  char *words[] = {program.data(), argument.data(), nullptr};
  pid_t started = 0;
  ::posix_spawnp(&started, words[0], nullptr, nullptr, words, environ);
}

} // namespace

void addDocuments(Command &command) {
  command.run = [] {
    const std::string site = shippedDir("docs");
    if (site.empty())
      throw Error("docs: this installation has no documentation, expected it "
                  "in share/dendrolith/docs beside the program's folder; "
                  "runtime/packages/site in the repository makes it");
    const std::string page = site + "/index.html";
    std::puts(page.c_str());
    showPage(page);
  };
}

} // namespace dendrolith::driver
