// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How right answers are, and how sure that is.

#ifndef DENDROLITH_RUNTIME_SESSION_SCORE_H
#define DENDROLITH_RUNTIME_SESSION_SCORE_H

#include "runtime/session/Metrics.h"
#include "runtime/session/RunRequest.h"
#include "simulator/report/result/Result.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace dendrolith::session {

/// "accuracy" is the share of the answers that are asked for whose class is the
/// label. "r2" is 1 minus
/// the squared error over the squared deviation of the labels from their mean
/// over samples, both summed over samples and elements; at most 1. Throws Error
/// for labels without deviation.
double score(const Metric &metric, const Answers &answers,
             const std::vector<double> &labels);

/// A score as result.json has it: {metric, value, answers, low, high,
/// confidence, method, mse, smape}, `answers` those that were judged. The ends
/// hold the score on all samples that there are, as far as these are drawn from
/// them: Wilson's interval for "accuracy", which takes many answers of a sample
/// for independent, the bootstrap over samples for "r2" (null below 2 samples).
/// `mse` and `smape` are errors of numbers by NeuroBench's definitions, null
/// for classes. Throws Error as score() does.
nlohmann::ordered_json scoreJson(const Metric &metric, const Answers &answers,
                                 const std::vector<double> &labels);

/// How often each class was answered (column) where another, or the same, was
/// right (row): {classes, counts}; null for more than 100 classes. Labels are
/// those of loadLabels() for "accuracy".
nlohmann::ordered_json confusion(const std::vector<double> &labels,
                                 const std::vector<int64_t> &predicted,
                                 uint64_t classes);

// What a run answered, and how right that is.

/// Reads the labels that are asked for and adds the score, the confusion matrix
/// and, sample by sample, what is right; also the classes that were answered,
/// with labels or without, where the first output has more than one element
/// and enough ticks. Warns the listener of ties. Returns the labels; none where
/// there are none. Throws Error for labels that do not fit.
std::vector<double> judge(const RunRequest &request, const Metric &metric,
                          RunOutcome &outcome, report::Result &result);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_SCORE_H
