// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many synapses a neuron may have, to how many places it may send and how
// many synapses it may have on other cores, on chips that bound them.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_FANS_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_FANS_H

#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

#include <optional>
#include <vector>

namespace dendrolith {

/// The first neuron with more synapses than the target's `fan_in`.
std::optional<Misfit> fanInMisfit(const MapNetwork &network,
                                  const Target &target);

/// The first neuron whose messages exceed the target's `fan_out`: one for each
/// projection and each core that has synapses of it. The host is no core.
std::optional<Misfit> fanOutMisfit(const MapNetwork &network,
                                   const Target &target,
                                   const std::vector<Slice> &slices);

/// The resource that outAxonsMisfit() names.
extern const char *const kOutAxonsOfNeuron;

/// The first neuron with more synapses on other cores than the target's
/// `out_axons_per_neuron`, each of which takes an entry of its own.
std::optional<Misfit> outAxonsMisfit(const MapNetwork &network,
                                     const Target &target,
                                     const std::vector<Slice> &slices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_FANS_H
