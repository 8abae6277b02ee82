// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How right a model's answers are, as `dendrolith run --labels` says it.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_TASKSCORE_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_TASKSCORE_H

#include "runtime/explore/study/Study.h"
#include "runtime/image/Program.h"
#include "runtime/session/Recording.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::explore {

struct TaskScore {
  std::string metric; ///< "accuracy" or "r2"
  double score = 0;
  /// By sample; empty where answers are no classes, or several of a sample.
  std::vector<bool> right;
};

/// Nothing for a model without labels. Throws Error for labels that do not fit.
std::optional<TaskScore> scoreTask(const StudyModel &model,
                                   const image::Program &program,
                                   const session::Recording &recording);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_TASKSCORE_H
