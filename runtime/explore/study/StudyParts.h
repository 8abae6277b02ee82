// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a study's file, each read from its node. All throw Error.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_STUDYPARTS_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_STUDYPARTS_H

#include "runtime/explore/study/ReadStudy.h"
#include "targets/loader/yaml/Fields.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

std::vector<Axis> readAxes(const yaml::Node &vary);
/// Each list names axes with as many values each, and no axis is in two.
std::vector<std::vector<std::string>>
readTogether(const yaml::Node &node, const std::vector<Axis> &axes);
std::map<std::string, std::string> readBaseline(const yaml::Node &node,
                                                const std::vector<Axis> &axes);

/// "energy.high" of `what`, one of valueNames() or an end of it.
std::string readValueName(const yaml::Node &node, const std::string &what);
std::vector<Goal> readObjectives(const yaml::Node &node);
/// "energy.high < 60 uJ". `place` is where the text stands.
Constraint readConstraint(const std::string &text, const yaml::Node &place);
std::vector<Constraint> readConstraints(const yaml::Node &node);

/// The axes and designs of a table of values: a head with the names of axes,
/// then a line for each design, all separated by commas.
void readPointsFile(const std::string &path, Study &study);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_STUDYPARTS_H
