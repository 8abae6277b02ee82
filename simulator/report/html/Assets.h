// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of this folder that become part of a page. The build makes the
// source that holds them (Embed.cmake).

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_ASSETS_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_ASSETS_H

namespace dendrolith::report::html {

extern const char *const kPageCss;
extern const char *const kPageJs;
extern const char *const kRunJs;

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_ASSETS_H
