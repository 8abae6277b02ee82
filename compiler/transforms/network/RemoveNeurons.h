// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A smaller population: the neurons that are left keep their order.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_NETWORK_REMOVENEURONS_H
#define DENDROLITH_COMPILER_TRANSFORMS_NETWORK_REMOVENEURONS_H

#include "dialects/dend/Dend.h"

#include <string>

namespace dendrolith {

/// Says what forbids removing neurons from an integer population: structure
/// that counts them (branches `for` a range, windows of a convolution, an
/// initial value for each). The text is empty if nothing does.
std::string whyNotRemovable(dend::PopulationOp population);

/// Removes neurons (ascending ids, not all) with their rows of parameters,
/// weights and biases, the columns of what they feed, and their `rates`. Sparse
/// and diagonal synapses become sparse ones of those left; where none is left,
/// one of weight 0 keeps the bias. Fails with a diagnostic on constants that
/// cannot be read as integers.
mlir::LogicalResult removeNeurons(dend::PopulationOp population,
                                  llvm::ArrayRef<int64_t> ids);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_NETWORK_REMOVENEURONS_H
