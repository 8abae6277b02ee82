// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/TaskScore.h"

#include "runtime/session/Score.h"
#include "targets/support/Error.h"

namespace dendrolith::explore {

std::optional<TaskScore> scoreTask(const StudyModel &model,
                                   const image::Program &program,
                                   const session::Recording &recording) {
  if (model.labels.empty())
    return std::nullopt;
  if (recording.outputs.empty())
    throw Error("model '" + model.name +
                "': labels judge the answers of an output, of which the "
                "network has none");
  const session::Metric metric =
      session::chooseMetric(model.metric, program.outputs(0).decode());
  const session::Answers answers = session::answers(recording, metric.decode);
  const std::vector<double> labels =
      session::loadLabels(model.labels, metric, answers, "",
                          /*first=*/model.samples > 0);
  TaskScore score{metric.name, session::score(metric, answers, labels), {}};
  if (metric.name == "accuracy" && !answers.ticks) {
    const std::vector<int64_t> classes = answers.classes();
    for (size_t i = 0; i < labels.size(); ++i)
      score.right.push_back(double(classes[i]) == labels[i]);
  }
  return score;
}

} // namespace dendrolith::explore
