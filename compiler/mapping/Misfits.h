// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can fail to fit, each in words that say what would make it fit.

#ifndef NEURITE_COMPILER_MAPPING_MISFITS_H
#define NEURITE_COMPILER_MAPPING_MISFITS_H

#include "compiler/mapping/Demand.h"
#include "compiler/mapping/Fit.h"

namespace neurite {

/// One neuron alone exceeds a core.
Misfit neuronMisfit(const Target &target, const std::string &population,
                    uint32_t neuron, Resource resource, uint64_t used);

/// All cores together have less than the network takes; `population` takes
/// `most` of the `total`.
Misfit totalMisfit(const Target &target, Resource resource,
                   const std::string &population, uint64_t most,
                   uint64_t total);

/// All cores together have enough, but the slices do not pack into them: one
/// after the other they fill `cores`.
Misfit packingMisfit(const Target &target, Resource resource,
                     const std::string &population, uint64_t cores);

/// A placement puts more on a core than it holds; `others` ends the message.
Misfit coreMisfit(const Target &target, uint32_t core, Resource resource,
                  const std::string &population, uint64_t used, uint64_t limit,
                  const std::string &others = "");

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_MISFITS_H
