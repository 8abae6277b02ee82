// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was asked of a study and how its points ended, as markup.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYHEAD_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYHEAD_H

#include "runtime/explore/page/StudyView.h"

#include <string>

namespace dendrolith::explore {

/// Points by state and the best by each objective, as cards.
std::string studyHeadline(const StudyView &view);
/// What was asked: models, chips, axes, objectives, constraints.
std::string studyScope(const StudyView &view);

/// How many points ended how, and why those that are not done are not.
std::string statesOf(const StudyView &view);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYHEAD_H
