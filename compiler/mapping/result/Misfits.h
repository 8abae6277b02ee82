// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons why a network does not fit, each with what would make it fit.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_MISFITS_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_MISFITS_H

#include "compiler/mapping/result/Bounds.h"
#include "compiler/mapping/result/Fit.h"

namespace dendrolith {

/// The remedy that a message names: "fewer weight bits or fewer synapses,
/// another target, or --override-limit synapse_memory_words".
std::string remedyFor(Resource resource);

/// At most `most` cores may be used, and the mapping with the fewest that was
/// found takes `found`.
Misfit tooFewAllowed(const Target &target, uint64_t most, uint64_t found);

/// One neuron alone exceeds a core.
Misfit neuronMisfit(const Target &target, const std::string &population,
                    uint32_t neuron, Resource resource, uint64_t used);

/// No mapping of the network has so few cores as the target.
Misfit boundMisfit(const MapNetwork &network, const Target &target,
                   const LowerBounds &bounds);

/// The mappings that were found have more cores than the target, where
/// `resource` runs out, of which `population` takes most. A mapping with fewer
/// may exist, unless the network's lower bounds say that there is none: then
/// the answer is boundMisfit().
Misfit packingMisfit(const MapNetwork &network, const Target &target,
                     Resource resource, const std::string &population,
                     const CoresFound &found);

/// A placement puts more on a core than it holds; `others` ends the message.
Misfit coreMisfit(const Target &target, uint32_t core, Resource resource,
                  const std::string &population, uint64_t used, uint64_t limit,
                  const std::string &others = "");

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_MISFITS_H
