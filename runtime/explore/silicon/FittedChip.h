// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fitted chip as files.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_FITTEDCHIP_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_FITTEDCHIP_H

#include "runtime/explore/silicon/Calibrate.h"

namespace dendrolith::silicon {

/// Writes a folder with a chip on the base that was fitted, whose fitted
/// numbers name their rows, and its cost tables where prices were. Throws
/// Error.
void writeChip(const Calibration &fitted, const std::string &folder);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_FITTEDCHIP_H
