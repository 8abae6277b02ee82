// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between which times a chip's steps lie, as far as its numbers are known.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_TIMEENDS_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_TIMEENDS_H

#include "targets/loader/Target.h"

#include <string>

namespace dendrolith::silicon {

/// Whether steps get slower with more of a number of that unit. They do with
/// every time, and not with room in a buffer.
bool isSlowerWithMore(const std::string &unit);

/// The chip with each number of a timing set that has ends at the slower one of
/// them, or at the quicker one.
Target atTimeEnds(const Target &chip, const TimingSet &timing, bool slow);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_TIMEENDS_H
