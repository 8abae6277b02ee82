// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the help of an option takes from the importers of models.

#ifndef DENDROLITH_RUNTIME_OPTIONS_HELP_H
#define DENDROLITH_RUNTIME_OPTIONS_HELP_H

#include "runtime/options/Options.h"

#include <string>
#include <utility>
#include <vector>

namespace dendrolith::options {

/// The help of a row; that of a model names the kinds of files.
std::string helpOf(const Option &row);
/// The keys of --import with their help: the importers say them.
std::vector<std::pair<std::string, std::string>> importKeys();

} // namespace dendrolith::options

#endif // DENDROLITH_RUNTIME_OPTIONS_HELP_H
