// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a study. Every error says file:line:column, what was expected and what
// it found.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_READSTUDY_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_READSTUDY_H

#include "runtime/explore/study/Study.h"

#include <string>

namespace dendrolith::explore {

struct StudySource {
  std::string text;
  std::string file;   ///< as errors name it
  std::string folder; ///< that its paths start from
  /// Taken for {file: F} in place of F, where it is not empty.
  std::string pointsFile = {};
  /// Files have to be there, and chips have to have the axes. To look at points
  /// that are there, neither is needed.
  bool checked = true;
  /// More than a million points are meant, whatever the budget says.
  bool manyPoints = false;
};

/// What a file holds, its paths starting from the folder it lies in. Throws
/// Error where it cannot be read.
StudySource sourceOf(const std::string &file);

/// Throws Error.
Study readStudy(const StudySource &source);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_READSTUDY_H
