// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mistyped word may have meant.

#ifndef DENDROLITH_RUNTIME_DRIVER_SUGGEST_H
#define DENDROLITH_RUNTIME_DRIVER_SUGGEST_H

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace dendrolith::driver {

/// The word of `known` that needs the fewest changes of a letter to become
/// `typed`, at most one for each three letters; empty if there is none. Of
/// several that are as near it is the first.
std::string nearest(const std::string &typed,
                    const std::vector<std::string> &known);

/// Behind CLI11's message for arguments that it did not expect, a line for each
/// that a flag or command of `app` resembles: "did you mean --target?".
std::string suggestions(const CLI::App &app);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_SUGGEST_H
