// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parallel coordinates: settings and objectives side by side, a line for each
// point.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_PARALLELPICTURE_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_PARALLELPICTURE_H

#include "runtime/explore/page/StudyView.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

/// The values of a column in the order in which an axis has them: numbers by
/// size, words as the study names them.
std::vector<std::string> settingsOf(const StudyView &view,
                                    const std::string &column);

/// All points that are done; settings first, then the middles of objectives.
std::string parallelPicture(const StudyView &view);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_PARALLELPICTURE_H
