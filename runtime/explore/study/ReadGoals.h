// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objectives and constraints of a study, read from its file. All throw
// Error.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_READGOALS_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_READGOALS_H

#include "runtime/explore/study/Study.h"
#include "targets/loader/yaml/Fields.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

/// "energy.high" of `what`, one of valueNames() or an end of it.
std::string readValueName(const yaml::Node &node, const std::string &what);
std::vector<Goal> readObjectives(const yaml::Node &node);
/// "energy.high < 60 uJ". `place` is where the text stands.
Constraint readConstraint(const std::string &text, const yaml::Node &place);
std::vector<Constraint> readConstraints(const yaml::Node &node);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_READGOALS_H
