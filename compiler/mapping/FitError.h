// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages for what does not fit, each with what would make it fit.

#ifndef NEURITE_COMPILER_MAPPING_FITERROR_H
#define NEURITE_COMPILER_MAPPING_FITERROR_H

#include "compiler/mapping/Demand.h"

#include <string>

namespace neurite {

/// One neuron alone exceeds a core.
[[noreturn]] void failNeuron(const Target &target,
                             const std::string &population, uint32_t neuron,
                             Resource resource, uint64_t used);

/// All cores together have less than the network takes; `population` takes
/// `most` of the `total`.
[[noreturn]] void failTotal(const Target &target, Resource resource,
                            const std::string &population, uint64_t most,
                            uint64_t total);

/// There is enough in sum, but the slices do not pack into the cores.
[[noreturn]] void failPacking(const Target &target, Resource resource,
                              const std::string &population, uint64_t cores);

/// A given placement puts more on a core than it holds.
[[noreturn]] void failCore(const Target &target, uint32_t core,
                           Resource resource, const std::string &population,
                           uint64_t used, uint64_t limit,
                           const std::string &others = "");

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_FITERROR_H
