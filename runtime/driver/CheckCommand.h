// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a check, which `dendrolith check` and `dendrolith serve` have.

#ifndef DENDROLITH_RUNTIME_DRIVER_CHECKCOMMAND_H
#define DENDROLITH_RUNTIME_DRIVER_CHECKCOMMAND_H

#include "runtime/options/Options.h"
#include "runtime/session/Check.h"

#include <string>
#include <vector>

namespace dendrolith::driver {

struct CheckFlags {
  session::ModelRequest model;
  std::string path;
  std::vector<std::string> targets; ///< as given: "loihi1,loihi2"
  std::string format;               ///< of what is printed
};

/// Binds all options of `check`; its listener is that of a terminal.
void bindCheck(options::CommandOptions &options, CheckFlags &flags);

/// Checks the model against each target. Throws Error where there is nothing to
/// check: no such file, or no such chip.
session::CheckReport check(const CheckFlags &flags);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_CHECKCOMMAND_H
