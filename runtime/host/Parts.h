// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths under construction, which a signal removes.

#ifndef NEURITE_RUNTIME_HOST_PARTS_H
#define NEURITE_RUNTIME_HOST_PARTS_H

#include <string>

namespace neurite {

/// Removes what addPart() has named when a signal that can be caught (SIGHUP,
/// SIGINT, SIGTERM) ends this process; a child that is forked later leaves it
/// alone. For main() alone.
void removePartsOnSignals();

/// Registers a file, or a directory that goes if it is empty. Returns a number
/// for dropPart(); -1 where there is no room for more, so that a signal leaves
/// the path.
int addPart(const std::string &path, bool directory);

/// Forgets a path; -1 is none.
void dropPart(int slot);

} // namespace neurite

#endif // NEURITE_RUNTIME_HOST_PARTS_H
