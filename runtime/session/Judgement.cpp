// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Judgement.h"

#include "runtime/session/Score.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::session {
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
  outcome.predictedTicks = given.ticks;
  if (!given.ticks) // else predicted.npy alone has them
    result.tables["samples"]["predicted"] = outcome.predicted;
}

void warnOfTies(const Answers &given, const std::vector<double> &labels,
                const RunRequest &request, const std::string &output) {
  if (uint64_t ties = given.ties(labels))
    request.model.listener.warn(
        {"tied-answers", "output '" + output + "'",
         fmt::format("{} of {} {} have more than one largest element, "
                     "of which the first is taken as the class; the score "
                     "depends on that order",
                     ties, asked(given, labels),
                     given.ticks ? "answers" : "samples")});
}

/// Says sample by sample what is right: yes or no, or how many answers of
/// those asked for.
void addCorrect(const std::vector<int64_t> &classes, const Answers &given,
                const std::vector<double> &labels,
                nlohmann::ordered_json &samples) {
  if (!given.ticks) {
    std::vector<bool> correct;
    for (size_t i = 0; i < labels.size(); ++i)
      correct.push_back(double(classes[i]) == labels[i]);
    samples["correct"] = correct;
    return;
  }
  std::vector<uint64_t> correct(given.samples()), all(given.samples());
  for (size_t i = 0; i < labels.size(); ++i) {
    correct[i / *given.ticks] += double(classes[i]) == labels[i];
    all[i / *given.ticks] += labels[i] != kNotAsked;
  }
  samples["correct"] = correct;
  samples["asked"] = all;
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
  warnOfTies(given, labels, request, recording.outputs.front().name);
  predict(given, outcome, result);
  addCorrect(outcome.predicted, given, labels, result.tables["samples"]);
  result.json["confusion"] = confusion(labels, outcome.predicted, given.width);
  return labels;
}

} // namespace dendrolith::session
