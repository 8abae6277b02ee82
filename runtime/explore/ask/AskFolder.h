// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder through which an outside optimiser asks for points of a study
// (`strategy: {ask: DIR}`). Both sides write files under another name and then
// rename them, so that a file that is there is whole:
//
//   study.json    from here: axes with values, objectives, constraints
//   ask-1.csv     from the optimiser: a head with the names of the axes, then a
//                 line for each design, different from each other
//   answer-1.csv  from here: a row for each line, in its order, with the
//                 columns of `explore STUDY --format csv`
//   ask-2.csv     and so on, one at a time
//   end           from whoever ends it first; it may hold why
//
// Answers stay, so that either side may stop and go on later.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ASK_ASKFOLDER_H
#define DENDROLITH_RUNTIME_EXPLORE_ASK_ASKFOLDER_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// Writes study.json into the study's folder, which is made where it is not
/// there.
void openAskFolder(const Study &study);

/// The designs of ask-N.csv for each model and target of the study, in the
/// order of its lines. Throws Error with the place of a line that is not right.
std::vector<Design> readAsk(const Study &study, uint64_t number);

/// All designs that were answered, in the order in which they were asked.
std::vector<Design> answeredDesigns(const Study &study);

/// What the folder needs of the rest.
struct AskServer {
  /// Measures what is not measured yet of all designs from number `first` on;
  /// false where it was told to stop.
  std::function<bool(const std::vector<Design> &all, size_t first)> measure;
  /// The points of designs, finished or excluded, numbered in their order.
  std::function<std::vector<StoredPoint>(const std::vector<Design> &)> points;
  /// Asked again and again while there is nothing to do.
  std::function<bool()> stopped;
  /// A line of progress.
  std::function<void(const std::string &)> say;
};

/// Answers until there is an `end`, the study's budget is used up, or it is
/// stopped, and returns how many points were asked for. An ask that is not
/// right ends it, too: `end` then holds the error, which is thrown.
uint64_t serveAsks(const Study &study, const AskServer &server);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ASK_ASKFOLDER_H
