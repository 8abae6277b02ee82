// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes of a study, read from its file. All throw Error.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_READAXES_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_READAXES_H

#include "runtime/explore/study/Study.h"
#include "targets/loader/yaml/Fields.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::explore {

std::vector<Axis> readAxes(const yaml::Node &vary);
/// Each list names axes with as many values each, and no axis is in two.
std::vector<std::vector<std::string>>
readTogether(const yaml::Node &node, const std::vector<Axis> &axes);
std::map<std::string, std::string> readBaseline(const yaml::Node &node,
                                                const std::vector<Axis> &axes);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_READAXES_H
