// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Populations into parts of about equal work, as many as there shall be cores.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_CUT_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_CUT_H

#include "compiler/mapping/result/Slices.h"

namespace dendrolith {

/// The work of neurons up to each, by population: one entry more than neurons.
using WorkSums = std::vector<std::vector<double>>;
WorkSums sumUp(const std::vector<std::vector<double>> &loads);

/// Cuts each population into parts of equal work. No part has more than a
/// core's share, and there are so few that `cores` cores, filled one after the
/// other, hold all of them. `least` is the number of parts that each population
/// has at least, because fewer do not fit. More than `cores` cores come out
/// where those alone need more.
SliceStarts cutByWork(const WorkSums &sums, const std::vector<uint32_t> &least,
                      uint32_t cores);

/// Halves slice k of a population.
void halve(std::vector<uint32_t> &starts, size_t k);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_CUT_H
