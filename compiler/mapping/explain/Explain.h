// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the report says of a mapping, whether a search, a file or the model made
// it.

#ifndef DENDROLITH_COMPILER_MAPPING_EXPLAIN_EXPLAIN_H
#define DENDROLITH_COMPILER_MAPPING_EXPLAIN_EXPLAIN_H

#include "compiler/mapping/objective/Evaluation.h"
#include "compiler/mapping/result/Mapping.h"

namespace dendrolith {

class SpareThreads;

/// Adds the predicted cost of a step, term by term and beside the baseline's,
/// the cores and links that steps wait for, and why there are not fewer cores.
/// `network` is in the mapping's order.
void explainMapping(const MapNetwork &network, const Target &target,
                    const ChipModel &model, Goal goal, SpareThreads &threads,
                    Mapping &mapping);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_EXPLAIN_EXPLAIN_H
