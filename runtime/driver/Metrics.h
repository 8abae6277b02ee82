// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Task metrics and how far two runs agree.

#ifndef NEURITE_RUNTIME_DRIVER_METRICS_H
#define NEURITE_RUNTIME_DRIVER_METRICS_H

#include "runtime/Decode.h"
#include "runtime/driver/Recording.h"

#include <optional>

namespace neurite::driver {

/// What a run is judged by, "accuracy", with how the read-out is decoded and
/// who said so: "command line", "model" or "default".
struct Metric {
  Decode decode;
  std::string from = "default";
};

/// `flag` is the text of --metric, "accuracy[:mean|:last=N]" or empty; `model`
/// the decode of the model's first output. The flag wins. Throws Error.
Metric chooseMetric(const std::string &flag, const std::string &model);

/// Class of each sample: the element of the first output that is largest when
/// decoded, ties to the lower index. Throws Error when there are fewer ticks
/// than are to be decoded.
std::vector<int64_t> classes(const Recording &recording, const Decode &decode);

/// Labels of a .npy file: one integer per sample. Throws Error.
std::vector<int64_t> loadLabels(const std::string &path, uint64_t samples);

/// Share of samples whose class is the label, in [0, 1].
double accuracy(const std::vector<int64_t> &classes,
                const std::vector<int64_t> &labels);

/// Two runs of the same inputs, `b` measured against `a`.
struct Agreement {
  uint64_t samples = 0, sameClass = 0;
  uint64_t values = 0, different = 0; // elements of the outputs
  /// Cosine between the per-element sums over ticks of the first output, mean
  /// over samples in which neither is all zero.
  std::optional<double> cosine;
};
Agreement compare(const Recording &a, const Recording &b, const Decode &decode);

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_METRICS_H
