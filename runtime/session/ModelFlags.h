// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the flags of a model mean. A command takes them from its line, a study
// from its file; this is the one table of both.

#ifndef DENDROLITH_RUNTIME_SESSION_MODELFLAGS_H
#define DENDROLITH_RUNTIME_SESSION_MODELFLAGS_H

#include "runtime/session/ModelRequest.h"

namespace CLI {
class App;
} // namespace CLI

namespace dendrolith::session {

/// Adds the flags; parsing fills `request`, which must outlive `command`.
void addModelFlags(CLI::App &command, ModelRequest &request);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_MODELFLAGS_H
