// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The views of a store that `dendrolith explore STUDY` shows.

#ifndef DENDROLITH_RUNTIME_DRIVER_EXPLORE_H
#define DENDROLITH_RUNTIME_DRIVER_EXPLORE_H

#include "runtime/explore/store/Store.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace dendrolith::driver {

/// Shows what the flags of the view ask for; false where none was given.
using ExploreView = std::function<bool(const explore::Store &)>;

/// Each adds its flags to the command, and gives what shows them.
ExploreView addViews(CLI::App &command);
ExploreView addPage(CLI::App &command);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_EXPLORE_H
