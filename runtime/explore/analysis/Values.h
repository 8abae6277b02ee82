// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a point can be asked for by name, and how it is printed.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_VALUES_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_VALUES_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

/// The name that points have: "latency" is short for "latency.mean", also with
/// ".low" and ".high". Throws Error with `asker` ("--pareto") where no point
/// has such a value.
std::string valueNamed(const std::vector<StoredPoint> &points,
                       const std::string &name, const std::string &asker);

/// "us", "uJ", "mm2", "mW" or, of a plain number, "".
std::string printedUnit(const std::string &name);
/// "latency.mean (us)".
std::string headerOf(const std::string &name);

/// Names as an objective: with the study's direction where it has the name or
/// an end of it, else a score is to be large and all else small.
Goal goalFor(const Study &study, const std::string &name);
/// The goals of a list with commas; the study's own objectives where the list
/// is empty. Throws Error for a name that no point has and for no name at all.
std::vector<Goal> goalsFor(const Study &study,
                           const std::vector<StoredPoint> &points,
                           const std::string &list, const std::string &asker);

/// Four digits: "12.35".
std::string numberText(double value);
/// "12.35", or "1.07 to 46.1".
std::string bandText(const Band &band);
/// A band with the unit of the value.
std::string bandText(const Band &band, const std::string &name);

/// "P17".
std::string idOf(const StoredPoint &point);
/// The point that is called "P17" or "17". Throws Error.
const StoredPoint &pointNamed(const std::vector<StoredPoint> &points,
                              const std::string &id, const std::string &asker);

/// The columns that tell designs of a study apart: the model, the target and
/// the repeat where there are several, and the axes.
std::vector<std::string> columnsOf(const Study &study);
/// What a design has in such a column; "" where it has nothing.
std::string settingOf(const Design &design, const std::string &column);

/// Models with the same samples and labels are answers to one question, and
/// their points compete. Points of different tasks are never compared.
struct Task {
  std::string name; ///< its models; "" where all models have one task
  std::vector<std::string> models;
  bool has(const Design &design) const;
};
/// In the order of the models.
std::vector<Task> tasksOf(const Study &study);
/// "sparse: ", or nothing for the only task.
std::string titleOf(const Task &task);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_VALUES_H
