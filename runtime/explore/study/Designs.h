// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The designs that a study asks for, in one order that depends on the study
// alone: the first is P1.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_DESIGNS_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_DESIGNS_H

#include "runtime/explore/study/Expression.h"
#include "runtime/explore/study/Study.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// How many designs a grid or samples ask for before `budget` cuts them off; no
/// design is made for it. 2^64 - 1 stands for more.
uint64_t countWithoutBudget(const Study &study);

/// Each model on each target, with each choice of values, as often as `repeat`
/// says; the choice of values changes faster than the target, the target faster
/// than the model. A grid is not held in memory.
class Designs {
public:
  /// Throws Error for a study that asks for more samples than it has choices.
  explicit Designs(const Study &study);

  /// Including those that `where` excludes; those beyond the budget are none.
  uint64_t size() const { return count; }
  Design at(uint64_t index) const;
  /// Why `where` excludes a design; nothing where it does not.
  std::optional<std::string> excluded(const Design &design) const;

private:
  std::vector<size_t> choiceOf(uint64_t index) const;
  uint64_t withinBudget() const;

  Study study;
  Expression where;
  /// Axes that change together, by number; alone where they do not.
  std::vector<std::vector<size_t>> steps;
  /// Only for a study that samples: for each choice, the number of the value of
  /// each of `steps`.
  std::optional<std::vector<std::vector<uint32_t>>> sampled;
  uint64_t choices = 0, count = 0;
};

// Choices of a number below each of some sizes, the same for a seed on every
// machine: no distribution of a standard library is used, whose numbers differ
// from one to the other.

using Sizes = std::vector<uint64_t>;
using Choices = std::vector<std::vector<uint32_t>>;

/// Different choices, each as likely as another. `count` is no more than there
/// are.
Choices randomChoices(const Sizes &sizes, uint64_t count, uint64_t seed);

/// A Latin hypercube: each size is cut into `count` equal parts, and each part
/// is met once. Choices that come again are left out.
Choices latinChoices(const Sizes &sizes, uint64_t count, uint64_t seed);

/// The first points of a Sobol sequence (direction numbers of Joe and Kuo, as
/// Boost has them), shifted by the seed. Choices that come again are left out.
Choices sobolChoices(const Sizes &sizes, uint64_t count, uint64_t seed);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_DESIGNS_H
