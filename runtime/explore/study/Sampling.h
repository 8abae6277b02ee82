// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices of a number below each of some sizes, the same for a seed on every
// machine: no distribution of a standard library is used, whose numbers differ
// from one to the other.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_SAMPLING_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_SAMPLING_H

#include <cstdint>
#include <vector>

namespace dendrolith::explore {

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

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_SAMPLING_H
