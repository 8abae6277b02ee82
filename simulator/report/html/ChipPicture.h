// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chip from above: how long cores worked, or what they did, and what the
// links between tiles carried.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_CHIPPICTURE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_CHIPPICTURE_H

#include "targets/loader/chip/Sections.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace dendrolith::report::html {

struct ChipLoad {
  Mesh mesh;
  std::string what; ///< of a core with its unit, markup: "ns per sample"
  std::map<uint64_t, double> cores; ///< by id; others are not in use
  /// Flits by (from, to) tiles. The same tile twice is its local port.
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> links;
};

/// The tiles in use and those between them. Each core is filled from below as
/// far as its load goes, and darker, the larger it is; links are as wide as
/// what they carry. A chip of too many tiles in use gives a line that says so.
std::string chipPicture(const ChipLoad &load);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_CHIPPICTURE_H
