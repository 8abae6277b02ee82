// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_TORNADOPICTURE_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_TORNADOPICTURE_H

#include "runtime/explore/page/StudyView.h"

#include <string>

namespace dendrolith::explore {

/// How far a value moves from the baseline's, axis by axis, the furthest first.
std::string tornadoPicture(const Tornado &tornado);

std::string tornadoTable(const StudyView &view, const Tornado &tornado);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_TORNADOPICTURE_H
