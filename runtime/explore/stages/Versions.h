// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose results may be taken for ours.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_VERSIONS_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_VERSIONS_H

#include <string>

namespace dendrolith::explore {

/// Of this program and of what a point means: a point of another version is
/// measured again.
std::string versionOfResults();

/// Of this very executable. What stages leave is the memory of one program, and
/// no other one may read it.
const std::string &versionOfBuild();

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_VERSIONS_H
