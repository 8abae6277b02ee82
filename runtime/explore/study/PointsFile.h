// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Designs from a table of values.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_POINTSFILE_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_POINTSFILE_H

#include "runtime/explore/study/Study.h"

#include <string>

namespace dendrolith::explore {

/// Reads the axes and designs of the file into the study: a head with the names
/// of axes, then a line for each design, all separated by commas. Throws Error.
void readPointsFile(const std::string &path, Study &study);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_POINTSFILE_H
