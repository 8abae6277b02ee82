// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices of populations on cores, and what follows from them alone: where they
// begin, on which core each neuron lies, how many cores are used.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_SLICES_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_SLICES_H

#include "compiler/mapping/network/Permute.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace dendrolith {

/// A contiguous range of positions of one population on one core. Positions are
/// neurons where the mapping keeps their order (Mapping::order).
struct Slice {
  uint32_t population = 0;
  uint32_t first = 0, count = 0; ///< positions [first, first + count)
  uint32_t core = 0;             ///< id of the core in the target
  uint32_t base = 0;             ///< its first accumulator on the core
};

/// Accumulators of a slice: those of each of its neurons.
inline uint32_t accumulatorsOf(const MapNetwork &network, const Slice &slice) {
  return slice.count * network.populations[slice.population].accumulators;
}

/// Where slices begin, by population: rising from 0, closed by the size.
using SliceStarts = std::vector<std::vector<uint32_t>>;

/// The core of each slice, by its id in the target.
using SliceCores = std::vector<uint32_t>;

constexpr uint32_t noCore = std::numeric_limits<uint32_t>::max();

/// By population, the core of each neuron.
using NeuronCores = std::vector<std::vector<uint32_t>>;

/// Slices as SliceGraph numbers them: by population, then by first neuron.
std::vector<Slice> byNeuron(std::vector<Slice> slices);

/// Where slices begin, and the core of each as byNeuron() orders them.
struct Cuts {
  SliceStarts starts;
  SliceCores cores;
};
Cuts cutsOf(const MapNetwork &network, const std::vector<Slice> &slices);

/// The slices of a mapping, with their bases, in order of (core, base).
std::vector<Slice> slicesOn(const MapNetwork &network,
                            const SliceStarts &starts, const SliceCores &cores);

/// The cores that slices give the neurons; noCore for those in none.
NeuronCores coresOf(const MapNetwork &network, const std::vector<Slice> &slices,
                    const NeuronOrder &order = {});

/// How many cores are named at all.
uint64_t coresUsed(const SliceCores &cores);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_SLICES_H
