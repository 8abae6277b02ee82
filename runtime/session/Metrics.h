// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Task metrics and how far two runs agree.

#ifndef NEURITE_RUNTIME_SESSION_METRICS_H
#define NEURITE_RUNTIME_SESSION_METRICS_H

#include "runtime/host/Decode.h"
#include "runtime/session/Recording.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace neurite::session {

/// What a run is judged by, "accuracy" or "r2", with how the read-out is
/// decoded and who said so: "command line", "model" or "default".
struct Metric {
  std::string name = "accuracy";
  Decode decode;
  std::string from = "default";
};

/// `flag` is the text of --metric, NAME[:mean|:last=N] or empty; `model` the
/// decode of the model's first output. The flag wins. Throws Error.
Metric chooseMetric(const std::string &flag, const std::string &model);

/// The first output, decoded: (samples, elements). Throws Error when there are
/// fewer ticks than are to be decoded.
struct Answers {
  uint64_t width = 1;
  std::vector<double> values;

  uint64_t samples() const { return values.size() / width; }
  /// The class of each sample is its largest element, of equals the first.
  std::vector<int64_t> classes() const;
  /// Samples with more than one largest element, whose class is a convention.
  uint64_t ties() const;
};
Answers answers(const Recording &recording, const Decode &decode);

/// What the answers should be: for "accuracy" integers (samples), each the
/// number of an element of the read-out from 0 on; for "r2" numbers (samples)
/// or (samples, elements). Throws Error.
std::vector<double> loadLabels(const std::string &path, const Metric &metric,
                               const Answers &answers);

/// Two runs of the same inputs, `b` measured against `a`.
struct Agreement {
  uint64_t samples = 0;
  uint64_t values = 0, different = 0; ///< elements of the outputs
  /// By "r2": root of the mean squared difference of the answers.
  std::optional<double> rms;
  /// By "accuracy": samples to which both give the same class.
  std::optional<uint64_t> sameClass;
  /// By "accuracy": cosine between the per-element sums over ticks of the first
  /// output, mean over samples in which neither is all zero.
  std::optional<double> cosine;
};
Agreement compare(const Recording &a, const Recording &b, const Metric &metric);

/// The `compare` of result.json.
nlohmann::ordered_json toJson(const Agreement &agreement);

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_METRICS_H
