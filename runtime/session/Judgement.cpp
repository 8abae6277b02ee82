// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Judgement.h"

#include "runtime/session/Score.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace neurite::session {
namespace {

/// Whether the first output has classes, of which one element has none, and
/// enough ticks for an answer.
bool tellsClasses(const Recording &recording, const Metric &metric) {
  const sim::OutputData &first = recording.outputs.front();
  return metric.name == "accuracy" && product(first.shape) > 1 &&
         metric.decode.last <= recording.ticks * first.ticks;
}

void predict(const Answers &given, RunOutcome &outcome,
             report::Result &result) {
  outcome.predicted = given.classes();
  result.tables["samples"]["predicted"] = outcome.predicted;
}

void warnOfTies(const Answers &given, const RunRequest &request,
                const std::string &output) {
  if (uint64_t ties = given.ties())
    request.model.listener.warn(
        {"tied-answers", "output '" + output + "'",
         fmt::format("{} of {} samples have more than one largest element, "
                     "of which the first is taken as the class; the score "
                     "depends on that order",
                     ties, given.samples())});
}

} // namespace

std::vector<double> judge(const RunRequest &request, const Metric &metric,
                          RunOutcome &outcome, report::Result &result) {
  const Recording &recording = outcome.recording;
  if (request.labels.empty()) {
    if (tellsClasses(recording, metric))
      predict(answers(recording, metric.decode), outcome, result);
    return {};
  }
  const Answers given = answers(recording, metric.decode);
  std::vector<double> labels = loadLabels(request.labels, metric, given);
  result.json["score"] = scoreJson(metric, given, labels);
  if (metric.name != "accuracy")
    return labels;
  warnOfTies(given, request, recording.outputs.front().name);
  predict(given, outcome, result);
  std::vector<bool> correct;
  for (size_t i = 0; i < labels.size(); ++i)
    correct.push_back(double(outcome.predicted[i]) == labels[i]);
  result.tables["samples"]["correct"] = correct;
  result.json["confusion"] = confusion(labels, outcome.predicted, given.width);
  return labels;
}

} // namespace neurite::session
