// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags that every command with a model has.

#ifndef NEURITE_RUNTIME_DRIVER_MODELFLAGS_H
#define NEURITE_RUNTIME_DRIVER_MODELFLAGS_H

#include "runtime/session/ModelRequest.h"

#include <CLI/CLI.hpp>

#include <string>

namespace neurite::driver {

/// Adds the flags; parsing fills `request`, which must outlive the command.
void addModelFlags(CLI::App &command, session::ModelRequest &request);

/// Those of --spikes, --input-bits, --min-cores and --rewrite that were given,
/// as text: a compiled program cannot follow them.
std::string givenModelFlags(const CLI::App &command);

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_MODELFLAGS_H
