// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags of one run, which `dendrolith run` and `dendrolith serve` have.

#ifndef DENDROLITH_RUNTIME_DRIVER_RUNFLAGS_H
#define DENDROLITH_RUNTIME_DRIVER_RUNFLAGS_H

#include "runtime/session/Run.h"

#include <CLI/CLI.hpp>

#include <string>

namespace dendrolith::driver {

struct RunFlags {
  session::RunRequest request;
  std::string out, timeline, html; ///< a folder and files to write
  std::string by;                  ///< what --compare goes by
  std::string report = "short", format = "text"; ///< what is printed
  bool quiet = false;
};

/// Adds the flags of a run; those of the model are addModelFlags().
void addRunFlags(CLI::App &command, RunFlags &flags);

/// Puts what parsed flags say together into the request. Throws Error.
void settle(RunFlags &flags, const CLI::App &command);

struct Ran {
  session::RunOutcome outcome;
  std::string page; ///< a line about --html, if there is one
};

/// Runs and writes --out, --timeline and --html. Throws Error.
Ran runAndWrite(RunFlags &flags);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_RUNFLAGS_H
