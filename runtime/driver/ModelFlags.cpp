// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/ModelFlags.h"

#include "runtime/driver/SearchWatch.h"
#include "runtime/driver/Terminal.h"
#include "runtime/session/ModelFlags.h"

namespace dendrolith::driver {

std::string modelHelp(const std::string &what) {
  return what + importExtensions();
}

void addModelFlags(CLI::App &command, session::ModelRequest &request) {
  request.listener = terminal();
  request.compile.control = watchedSearch();
  request.compile.threads = 0; // a command has the processors for itself
  session::addModelFlags(command, request);
}

void addMapVerifyFlag(CLI::App &command, session::ModelRequest &request) {
  command
      .add_option("--map-verify", request.mapVerify,
                  "Refine the mapping in so many rounds: each runs it in the "
                  "cycle engine on calibration samples (or the run's own), "
                  "maps again with what that took, and the best simulated "
                  "mapping is kept")
      ->check(CLI::Range(1, 1000));
}

std::string givenModelFlags(const CLI::App &command) {
  std::string given;
  for (const char *flag :
       {"--spikes", "--input-bits", "--weight-bits", "--state-bits",
        "--min-cores", "--cores", "--map-for", "--map-constraints",
        "--map-from", "--map-verify", "--split-dendrite", "--rewrite"})
    if (const CLI::Option *option = command.get_option_no_throw(flag);
        option && option->count())
      given += (given.empty() ? "" : ", ") + std::string(flag);
  return given;
}

} // namespace dendrolith::driver
