// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session tells, on a terminal.

#ifndef DENDROLITH_RUNTIME_DRIVER_TERMINAL_H
#define DENDROLITH_RUNTIME_DRIVER_TERMINAL_H

#include "runtime/session/Listener.h"

namespace dendrolith::driver {

/// Prints findings to standard output and warnings to standard error. Where
/// that is a terminal, work has a line of progress there, which goes when the
/// work ends.
session::Listener terminal();

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_TERMINAL_H
