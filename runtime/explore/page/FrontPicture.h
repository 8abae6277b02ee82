// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Pareto front of a study as a picture and a table.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_FRONTPICTURE_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_FRONTPICTURE_H

#include "runtime/explore/page/StudyView.h"

#include <string>

namespace dendrolith::explore {

/// Two goals across and up, each point with its bands and a mark that says how
/// it stands. With one goal, the points in its order.
std::string frontPicture(const StudyView &view, const Front &front,
                         size_t across, size_t up);

/// Which mark means what.
std::string statusLegend();

/// The points on the front, certain ones first.
std::string frontTable(const StudyView &view, const Front &front);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_FRONTPICTURE_H
