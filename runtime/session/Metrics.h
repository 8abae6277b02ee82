// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Task metrics and how far two runs agree.

#ifndef DENDROLITH_RUNTIME_SESSION_METRICS_H
#define DENDROLITH_RUNTIME_SESSION_METRICS_H

#include "runtime/host/Decode.h"
#include "runtime/session/Recording.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace dendrolith::session {

/// What a run is judged by, "accuracy" or "r2", with how the read-out is
/// decoded and who said so: "command line", "model" or "default".
struct Metric {
  std::string name = "accuracy";
  Decode decode;
  std::string from = "default";
};

/// `flag` is the text of --metric, NAME[:mean|:last=N|:each] or empty; `model`
/// the decode of the model's first output. The flag wins. Throws Error, also
/// for "r2" of an answer at each tick.
Metric chooseMetric(const std::string &flag, const std::string &model);

/// The first output, decoded: (samples, elements), or (samples, ticks,
/// elements) where it answers at each tick. Throws Error when there are fewer
/// ticks than are to be decoded.
struct Answers {
  uint64_t width = 1;
  std::vector<double> values;
  /// Answers of a sample, where it is each tick.
  std::optional<uint64_t> ticks = std::nullopt;
  /// What was answered at each tick, in place of `values`, for it may be long:
  /// the recording outlives the answers.
  const sim::OutputData *output = nullptr;

  uint64_t count() const {
    return (output ? output->size() : values.size()) / width;
  }
  uint64_t samples() const { return count() / ticks.value_or(1); }
  /// The class of each answer is its largest element, of equals the first.
  std::vector<int64_t> classes() const;
  /// Which answers are all zero.
  std::vector<bool> silent() const;
  /// Answers that `labels` ask for, all without any, with more than one largest
  /// element, so that their class is a convention.
  uint64_t ties(const std::vector<double> &labels = {}) const;
};
Answers answers(const Recording &recording, const Decode &decode);

/// The label of an answer that nothing asks for, which is not judged.
constexpr double kNotAsked = -100;
/// How many of the answers are asked for; `labels` empty: all.
uint64_t asked(const Answers &answers, const std::vector<double> &labels);

/// What the answers should be: for "accuracy" integers, one per answer, each
/// the number of an element of the read-out from 0 on, or kNotAsked where
/// answers are each tick's, of which one at least must be asked for; for "r2"
/// numbers (samples) or (samples, elements). Throws Error about `place`, or
/// about the file where that is empty. `first` asks for those of the first
/// samples, of as many or more.
std::vector<double> loadLabels(const std::string &path, const Metric &metric,
                               const Answers &answers, std::string place = "",
                               bool first = false);

/// Two runs of the same inputs, `b` measured against `a`.
struct Agreement {
  uint64_t samples = 0;
  uint64_t values = 0, different = 0; ///< elements of the outputs
  /// By "r2": root of the mean squared difference of the answers.
  std::optional<double> rms;
  /// By "accuracy": answers that are asked for, and those of the same class.
  /// An answer that is all zero names no class, and so is the same as none.
  std::optional<uint64_t> answers, sameClass;
  uint64_t silent = 0; ///< of the answers that are asked for, those of `b`
  /// By "accuracy": cosine between the per-element sums over ticks of the first
  /// output, mean over samples; 0 where one is all zero. Samples where both are
  /// say nothing and are left out.
  std::optional<double> cosine;
};
/// Compares the answers that `labels` ask for; without labels, all of them.
Agreement compare(const Recording &a, const Recording &b, const Metric &metric,
                  const std::vector<double> &labels = {});

/// The `compare` of result.json.
nlohmann::ordered_json toJson(const Agreement &agreement);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_METRICS_H
