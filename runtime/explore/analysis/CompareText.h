// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two points beside each other, as text.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_COMPARETEXT_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_COMPARETEXT_H

#include "runtime/explore/analysis/Compare.h"

#include <string>

namespace dendrolith::explore {

/// For people: the designs, the values with a verdict each, what is paired, and
/// energy by event and by layer.
std::string textOf(const StoredPoint &a, const StoredPoint &b,
                   const Comparison &comparison);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_COMPARETEXT_H
