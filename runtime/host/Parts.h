// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a signal does before it ends the process: paths under construction go,
// and a last word is said.

#ifndef DENDROLITH_RUNTIME_HOST_PARTS_H
#define DENDROLITH_RUNTIME_HOST_PARTS_H

#include <cstdint>
#include <string>

namespace dendrolith {

/// Says what signals do, for main() alone. What addPart() has named goes when
/// one that can be caught (SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM) ends this
/// process; a child that is forked later leaves it alone. A file that grows
/// beyond the limit of its size (SIGXFSZ) is an error of the write.
void setSignals();

/// A signal then also writes `text` to `fd`, a number and a newline; the number
/// is what countForSignals() was last called with. With -1 nothing is said.
void sayOnSignals(const std::string &text, int fd);
void countForSignals(uint64_t number);

/// A file, a folder that goes if it is empty, or a folder with all in it.
enum class Part { File, Folder, Tree };

/// Returns a number for dropPart(); -1 where there is no room for more, so that
/// a signal leaves the path.
int addPart(const std::string &path, Part part);

/// Forgets a path; -1 is none.
void dropPart(int slot);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_PARTS_H
