// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the integer network on calibration samples, to see whether what the
// quantiser expected comes true.

#ifndef DENDROLITH_COMPILER_PIPELINES_SAMPLES_CHECKQUANTISED_H
#define DENDROLITH_COMPILER_PIPELINES_SAMPLES_CHECKQUANTISED_H

#include "dialects/dend/Dend.h"
#include "runtime/host/Signals.h"

#include "llvm/ADT/StringSet.h"

#include <map>
#include <string>

namespace dendrolith {

/// Interprets `fixed` on the first samples of `inputs`. Appends to its
/// `quantisation` report, for each SSF, how often each value was fired and how
/// close potentials came to a rung: within a unit rounding decides. Fails with
/// a diagnostic that names layer and state when a state of a population in
/// `programs` uses more than half of its range, four times what the float
/// network showed. Threads as in calibrate().
mlir::LogicalResult checkQuantised(dend::NetworkOp fixed,
                                   const llvm::StringSet<> &programs,
                                   const std::map<std::string, Samples> &inputs,
                                   unsigned threads = 1);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_SAMPLES_CHECKQUANTISED_H
