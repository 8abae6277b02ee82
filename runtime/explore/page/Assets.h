// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of this folder that become part of a page; see
// simulator/report/html/Assets.h.

#ifndef NEURITE_RUNTIME_EXPLORE_PAGE_ASSETS_H
#define NEURITE_RUNTIME_EXPLORE_PAGE_ASSETS_H

namespace neurite::explore {

extern const char *const kStudyJs;

} // namespace neurite::explore

#endif // NEURITE_RUNTIME_EXPLORE_PAGE_ASSETS_H
