// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of a study as a page: from its points alone. What machines took
// (seconds, hosts) is no part of it, so that the same points give the same
// bytes on every machine.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYPAGE_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYPAGE_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"
#include "simulator/report/html/Page.h"

#include <vector>

namespace dendrolith::explore {

/// A file of this folder that becomes part of a page: the build makes the
/// source that holds it (simulator/report/html/Embed.cmake).
extern const char *const kStudyJs;

/// `points` are those of the study by rising number, as far as there are any.
report::html::Page studyPage(const Study &study,
                             const std::vector<StoredPoint> &points);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYPAGE_H
