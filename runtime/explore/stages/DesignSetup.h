// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a design asks for: which of its values change the program, which only
// times, and which only prices. Stages are reused by this division, so an
// unknown name counts as one that changes the program.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_DESIGNSETUP_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_DESIGNSETUP_H

#include "runtime/explore/study/Study.h"

#include <string>
#include <utility>
#include <vector>

namespace dendrolith::explore {

/// What the value of an axis is about.
enum class About {
  Model,      ///< which model
  Chip,       ///< which target
  TimingName, ///< which timing set
  CostsName,  ///< which cost table
  Flag,       ///< of the compiler
  Bits,       ///< of the weights of a layer
  Shape,      ///< a number of the chip that programs depend on
  Times,      ///< a number that changes nothing but times
  Prices,     ///< of a cost table
  Areas,      ///< a number that changes nothing but area and leakage
};
About aboutOf(const std::string &axis);

/// Names and values, in the order of the study.
using Changes = std::vector<std::pair<std::string, std::string>>;

struct DesignSetup {
  const StudyModel *model = nullptr;
  std::string target; ///< by its name or file, without changes
  Changes shape, times, prices, areas;
  std::string timing, costs; ///< names; empty are the chip's own
  Changes flags;             ///< by names without "compile."
  std::string bits;          ///< "L1=4,R=8"
  uint64_t repeat = 0;
};

/// Throws Error for a model that the study has not.
DesignSetup setupOf(const Study &study, const Design &design);

/// The values of the study's baseline on all axes; an axis that it does not
/// name has its first value there, or none where it is not listed.
Changes baselineOf(const Study &study);

/// The setup of the design with the times and prices of the baseline.
DesignSetup baselineSetup(const Study &study, const Design &design);

/// "loihi2,mesh.tiles_x=4": as a command line takes it.
std::string withChanges(const std::string &target,
                        std::initializer_list<const Changes *> changes);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_DESIGNSETUP_H
