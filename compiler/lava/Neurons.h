// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keyword arguments of neurons as the constants of their step bodies.

#ifndef DENDROLITH_COMPILER_LAVA_NEURONS_H
#define DENDROLITH_COMPILER_LAVA_NEURONS_H

#include "compiler/lava/Kwargs.h"
#include "compiler/lava/Processes.h"

#include <map>

namespace dendrolith::lava {

/// Gives the variant that the keywords ask for; for LIF that is "plain".
std::string readVariant(Kwargs &kwargs, const std::string &lavaClass);

/// Each constant has one value, or one per neuron in Lava's order, which is
/// row-major.
struct Constants {
  std::map<std::string, std::vector<int64_t>> parameters;
  std::map<std::string, std::vector<int64_t>> states; ///< zero if not there
};

/// Reads every keyword of the class and refuses others.
Constants readConstants(Kwargs &kwargs, const NeuronForm &form,
                        uint64_t neurons);

/// True if LIF's keywords leave the cuba neuron's states in their range at the
/// start.
bool startsLikeCuba(Kwargs &kwargs, uint64_t neurons);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_NEURONS_H
