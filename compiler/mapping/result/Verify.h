// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a finished mapping keeps every limit of the target.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_VERIFY_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_VERIFY_H

#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// What measure() counts, or a misfit where a delay or a table of a core is
/// beyond the target's limit. Throws Error when the slices are no mapping of
/// the network at all: a neuron is placed never or twice, accumulators of a
/// core overlap, a core does not exist.
Fit<std::vector<FitRow>> verify(const MapNetwork &network, const Target &target,
                                const std::vector<Slice> &slices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_VERIFY_H
