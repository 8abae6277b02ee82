// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_RUNTIME_EXPLORE_PAGE_TORNADOPICTURE_H
#define NEURITE_RUNTIME_EXPLORE_PAGE_TORNADOPICTURE_H

#include "runtime/explore/page/StudyView.h"

#include <string>

namespace neurite::explore {

/// How far a value moves from the baseline's, axis by axis, the furthest first.
std::string tornadoPicture(const Tornado &tornado);

std::string tornadoTable(const StudyView &view, const Tornado &tornado);

} // namespace neurite::explore

#endif // NEURITE_RUNTIME_EXPLORE_PAGE_TORNADOPICTURE_H
