// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a finished mapping takes.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_MEASURE_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_MEASURE_H

#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// The fit table, counted from the network and the slices alone: neuron slots,
/// synapse memory, in-axons, out-axons, decay profiles, threshold profiles,
/// synapse formats, cores; core memory and program words where the target has
/// such a limit. Also counts what exceeds a limit.
std::vector<FitRow> measure(const MapNetwork &network, const Target &target,
                            const std::vector<Slice> &slices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_MEASURE_H
