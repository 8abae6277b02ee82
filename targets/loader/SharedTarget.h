// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One chip for all stages of a compilation.

#ifndef DENDROLITH_TARGETS_LOADER_SHAREDTARGET_H
#define DENDROLITH_TARGETS_LOADER_SHAREDTARGET_H

#include "targets/loader/Target.h"

#include <memory>
#include <string>

namespace dendrolith {

/// A chip by name, which copies of this handle share: its file is read when the
/// first of them asks, and never again. A file that changes while a network is
/// compiled thus cannot give a program of two chips. May be asked from several
/// threads.
class SharedTarget {
public:
  SharedTarget() = default; ///< of no chip
  /// A name or a file, as Target::load() takes it. Reads nothing yet.
  explicit SharedTarget(std::string nameOrPath);

  explicit operator bool() const { return state != nullptr; }
  const std::string &name() const;
  /// Throws Error where Target::load() does.
  const Target &get() const;

  /// get(); a handle of no chip becomes one of `nameOrPath` first.
  const Target &getOr(const std::string &nameOrPath);

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_SHAREDTARGET_H
