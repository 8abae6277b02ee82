// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session has to say while it works. It prints nothing itself: a command
// shows this on a terminal, a binding may drop it.

#ifndef DENDROLITH_RUNTIME_SESSION_LISTENER_H
#define DENDROLITH_RUNTIME_SESSION_LISTENER_H

#include "targets/support/Warning.h"

#include <cstdint>
#include <functional>
#include <string>

namespace dendrolith::session {

/// Takes how much of the work is done, and the whole of it.
using Progress = std::function<void(uint64_t done, uint64_t total)>;

/// Functions that are not set drop what they would be told.
struct Listener {
  /// Something that a user should know although nothing failed. The result of
  /// a run has it too.
  std::function<void(const Warning &warning)> onWarning;
  /// Something found on the way, as "Verified: ...": one line.
  std::function<void(const std::string &line)> onFinding;
  /// Work of this name begins. It ends when the function that is returned is
  /// destroyed.
  std::function<Progress(const std::string &work)> onWork;

  void warn(const Warning &warning) const {
    if (onWarning)
      onWarning(warning);
  }
  void find(const std::string &line) const {
    if (onFinding)
      onFinding(line);
  }
  Progress begin(const std::string &work) const {
    return onWork ? onWork(work) : [](uint64_t, uint64_t) {};
  }
};

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_LISTENER_H
