// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only a column (Column.h) has beside the arrays of a study network.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_WAITS_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_WAITS_H

#include "compiler/import/study/File.h"

namespace dendrolith::study {

/// Steps that a spike can wait, and bits that a weight can be shifted.
constexpr int16_t kLongestDelay = 63, kLargestShift = 13;

/// By source: steps from a spike to its effect, and how far its weights are
/// shifted. Empty where it is 1 and kFractionBits for all.
struct Waits {
  std::vector<int16_t> delay, shift;
};

/// Reads and checks as readNetwork() does.
Waits readWaits(const zip::Bytes &bytes, const std::string &path);

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_WAITS_H
