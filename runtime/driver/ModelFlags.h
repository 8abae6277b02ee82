// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags that every command with a model has.

#ifndef DENDROLITH_RUNTIME_DRIVER_MODELFLAGS_H
#define DENDROLITH_RUNTIME_DRIVER_MODELFLAGS_H

#include "runtime/session/ModelRequest.h"

#include <CLI/CLI.hpp>

#include <string>

namespace dendrolith::driver {

/// "Trained network: .nir, ... or .mlir": the help of an argument that is a
/// model, with the extensions of all importers behind `what`.
std::string modelHelp(const std::string &what);

/// Adds the flags; parsing fills `request`, which must outlive the command and
/// tells the terminal what it has to say.
void addModelFlags(CLI::App &command, session::ModelRequest &request);

/// Adds --map-verify, for commands that end with one mapping.
void addMapVerifyFlag(CLI::App &command, session::ModelRequest &request);

/// Those of --spikes, --weight-bits, --min-cores, --rewrite and the like that
/// were given, as text: a compiled program cannot follow them.
std::string givenModelFlags(const CLI::App &command);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_MODELFLAGS_H
