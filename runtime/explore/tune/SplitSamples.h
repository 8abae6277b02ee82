// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples with labels in two parts: one to calibrate on, one to judge by. What
// a network was fitted to says too little of how good it is.

#ifndef DENDROLITH_RUNTIME_EXPLORE_TUNE_SPLITSAMPLES_H
#define DENDROLITH_RUNTIME_EXPLORE_TUNE_SPLITSAMPLES_H

#include "runtime/arrays/Npy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::tuning {

/// Numbers of samples, rising.
struct Split {
  std::vector<uint64_t> calibration, heldOut;
};

/// Draws `share` of the samples, at least one, to be held out; the same ones
/// for the same number of samples, in whatever order a file has its classes.
/// Throws Error for fewer than 2 samples.
Split drawSplit(uint64_t samples, double share);

/// The rows of the first axis.
Array rowsOf(const Array &array, const std::vector<uint64_t> &rows);

/// Files of both parts, as --calibrate and --input take them.
struct SplitFiles {
  std::vector<std::string> calibration, heldOut;
  std::string heldOutLabels;
  uint64_t calibrationSamples = 0, heldOutSamples = 0;
};

/// Splits the files of --calibrate ("X.npy" or "NAME=X.npy") and their labels
/// into files of `folder`. Throws Error where there is not one label for each
/// sample.
SplitFiles splitFiles(const std::vector<std::string> &samples,
                      const std::string &labels, double share,
                      const std::string &folder);

} // namespace dendrolith::tuning

#endif // DENDROLITH_RUNTIME_EXPLORE_TUNE_SPLITSAMPLES_H
