// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of this folder that become part of a page. The build makes the
// source that holds them (Embed.cmake).

#ifndef NEURITE_SIMULATOR_REPORT_HTML_ASSETS_H
#define NEURITE_SIMULATOR_REPORT_HTML_ASSETS_H

namespace neurite::report::html {

extern const char *const kPageCss;
extern const char *const kPageJs;
extern const char *const kRunJs;

} // namespace neurite::report::html

#endif // NEURITE_SIMULATOR_REPORT_HTML_ASSETS_H
