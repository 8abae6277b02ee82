// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags of a check, which `neurite check` and `neurite serve` have.

#ifndef NEURITE_RUNTIME_DRIVER_CHECKFLAGS_H
#define NEURITE_RUNTIME_DRIVER_CHECKFLAGS_H

#include "runtime/session/Check.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace neurite::driver {

struct CheckFlags {
  session::ModelRequest model;
  std::string path;
  std::vector<std::string> targets; ///< as given: "loihi1,loihi2"
  bool json = false;
};

void addCheckFlags(CLI::App &command, CheckFlags &flags);

/// Checks the model against each target. Throws Error where there is nothing to
/// check: no such file, or no such chip.
session::CheckReport check(const CheckFlags &flags);

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_CHECKFLAGS_H
