// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of this folder that become part of a page; see
// simulator/report/html/Assets.h.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_ASSETS_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_ASSETS_H

namespace dendrolith::explore {

extern const char *const kStudyJs;

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_ASSETS_H
