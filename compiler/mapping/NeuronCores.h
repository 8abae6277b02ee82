// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each neuron lies, by the number that it has in the model.

#ifndef DENDROLITH_COMPILER_MAPPING_NEURONCORES_H
#define DENDROLITH_COMPILER_MAPPING_NEURONCORES_H

#include "compiler/mapping/Mapping.h"

#include <limits>

namespace dendrolith {

constexpr uint32_t noCore = std::numeric_limits<uint32_t>::max();

/// By population, the core of each neuron.
using NeuronCores = std::vector<std::vector<uint32_t>>;

/// By population, the neuron at each position that slices count; an empty entry
/// means that positions are neurons, and so do entries that are missing.
using NeuronOrder = std::vector<std::vector<uint32_t>>;

/// The cores that slices give the neurons; noCore for those in none.
NeuronCores coresOf(const MapNetwork &network, const std::vector<Slice> &slices,
                    const NeuronOrder &order = {});

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NEURONCORES_H
