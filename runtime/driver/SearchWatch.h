// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mapper's search on a terminal: its progress, and Ctrl-C, which ends it.

#ifndef DENDROLITH_RUNTIME_DRIVER_SEARCHWATCH_H
#define DENDROLITH_RUNTIME_DRIVER_SEARCHWATCH_H

#include "compiler/mapping/network/MappingOptions.h"

#include <memory>

namespace dendrolith::driver {

/// While a search runs, a line of progress is shown on a terminal, and the
/// first SIGINT ends the search with the best mapping so far, of which a
/// warning tells. The second one ends the process, as at any other time.
std::shared_ptr<const SearchControl> watchedSearch();

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_SEARCHWATCH_H
